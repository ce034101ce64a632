import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { bytesFromJson } from '../../../service/messages/json/message-from-json.ts';
import type { MessageRegistry } from '../../../service/messages/registry.ts';
import { messageSchema } from '../../../specs/json-schema/message-schema.ts';
import { describeTypes } from '../../../specs/messages/describe-types.ts';
import { messageComponents } from '../../../specs/openapi/message-components.ts';
import { compiledRegistry } from '../../support/compiled-protos.ts';
import { kitchenSink } from '../../support/kitchen-sink.ts';
import { openApiValidator } from '../../support/openapi-validator.ts';
import type { Accepts } from '../../support/schema-agreement.ts';

const sink = 'test.v1.Sink';
const required = 'old.v1.Ask';
const proto2 = 'syntax = "proto2"; package old.v1; message Ask { required string text = 1; }';

/** JSON text of a whole input, of `Sink` unless stated otherwise. */
interface Example {
  text: string;
  type?: string;
  /** The OpenAPI schema agrees with the service on it, because it has no numbers as strings and no keys of maps. */
  openApiAgrees?: boolean;
}

const field = (name: string, ...values: unknown[]): Example[] =>
  values.map((value) => ({ text: JSON.stringify({ [name]: value }) }));

const inOpenApi = (example: Example): Example => ({ ...example, openApiAgrees: true });

const nested = (levels: number): unknown => {
  let json: unknown = {};
  for (let level = 0; level < levels; level++) json = { child: json };
  return json;
};

/** By the beginning of each row of docs/json-schema.md. */
const refusedByService: Record<string, Example[]> = {
  'integers as strings, and 64-bit integers, out of range': [
    ...field('anInt64', '9223372036854775808'),
    ...field('anInt32', '2147483648').map(inOpenApi),
    ...field('anInt64', 2 ** 63).map(inOpenApi),
    ...field('aUint64', 2 ** 64).map(inOpenApi),
    ...field('aFloat', '1e39').map(inOpenApi),
    ...field('aDouble', '1e999').map(inOpenApi),
  ],
  'durations beyond': field('duration', '315576000001s'),
  'impossible dates': field('timestamp', '2026-02-30T00:00:00Z', '9999-12-31T23:59:59-23:59'),
  'an `Any` whose type': field('any', { '@type': 'type.googleapis.com/nobody.Knows' }),
  'messages nested': [{ text: JSON.stringify(nested(101)) }],
  'a duplicate key': [{ text: '{"aString":"a","aString":"b"}' }, { text: String.raw`{"aString":"\ud800"}` }],
  'a proto2 message': [{ text: '{}', type: required }],
  'OpenAPI only: map keys': [...field('byInt32', { a: 'b' }), ...field('byBool', { yes: 'RED' })],
  'OpenAPI only: an `Any` that has fields': field('any', { value: 1 }),
  'OpenAPI only: timestamps': field(
    'timestamp',
    '2026-01-31t09:30:00Z',
    '2026-01-31T09:30:00z',
    '2026-01-31T23:59:60Z',
    '2026-01-31T09:30:00.1234567890Z',
    '0000-01-01T00:00:00Z',
  ),
};

const refusedBySchema: Record<string, Example[]> = {
  'fields by their proto names': field('an_int32', 1),
  '`null` for a member': field('pickNumber', null),
  'numbers as strings in another notation': [
    ...field('aDouble', '+5', '.5', '0x10'),
    ...field('anInt32', '0x10', '1e2', '1.0'),
    ...field('aUint32', '-0'),
    ...field('anInt64', '0x10'),
  ],
  '64-bit integers as strings with white space': field('anInt64', ' 1', '1 '),
  'map keys that are integers': field(
    'byInt32',
    ...['01', '-0', '+1', '0x1', '1e2', '1.0'].map((key) => ({ [key]: 'a' })),
  ).map(inOpenApi),
  'base64 with white space': field('aBytes', 'c2 hp', 'YQ==YQ==', 'c2hp=', 'c2hpcA='),
  'OpenAPI only: `null`': [
    ...field('child', null),
    ...field('color', null),
    { text: 'null', type: 'google.protobuf.StringValue' },
  ],
  'OpenAPI only: numbers as strings': [
    ...field('anInt32', '1'),
    ...field('aDouble', 'NaN', '-Infinity'),
    ...field('color', 1),
    ...field('anInt64', 1),
    ...field('null', 'NULL_VALUE'),
  ],
};

describe('the exceptions in docs/json-schema.md', () => {
  const registries = new Map<string, MessageRegistry>();
  const validators = new Map<string, { bySchema: Accepts; byOpenApi: Accepts }>();
  const documentation = readFileSync(new URL('../../../docs/json-schema.md', import.meta.url), 'utf8');
  const registryOf = (type: string): MessageRegistry =>
    registries.get(type) ?? assert.fail(`no registry for ${type}`);

  before(async () => {
    const registry = await compiledRegistry(kitchenSink);
    for (const type of [sink, 'google.protobuf.StringValue']) registries.set(type, registry);
    registries.set(required, await compiledRegistry(proto2));
    for (const type of registries.keys()) {
      validators.set(type, { bySchema: bySchema(type), byOpenApi: byOpenApi(type) });
    }
  });

  const bySchema = (type: string): Accepts => {
    const ajv = new Ajv2020({ ownProperties: true, validateFormats: false, strictTypes: false });
    const types = describeTypes(registryOf(type), [type === required ? required : sink]);
    return ajv.compile(messageSchema(types, type, 'input'));
  };
  const byOpenApi = (type: string): Accepts => {
    const types = describeTypes(registryOf(type), [type === required ? required : sink]);
    const { schemas, schemaOf } = messageComponents(types, { inputs: [type], outputs: [] });
    return openApiValidator({ components: { schemas } }, schemaOf(type, 'input'));
  };
  const tables = {
    'Accepted by a schema, refused by the service': { rows: refusedByService, service: false },
    'Accepted by the service, refused by a schema': { rows: refusedBySchema, service: true },
  };

  for (const [title, { rows, service }] of Object.entries(tables)) {
    it(`have an example for each row: ${title}`, () => {
      const listed = rowsBelow(documentation, title);
      assert.equal(Object.keys(rows).length, listed.length);
      for (const [index, row] of listed.entries()) {
        const start = Object.keys(rows)[index] ?? '';
        assert.ok(row.startsWith(start), `${row} begins with ${start}`);
      }
    });

    for (const [row, examples] of Object.entries(rows)) {
      it(`are ${service ? 'refused by a schema' : 'refused by the service'}: ${row}`, () => {
        for (const { text, type = sink, openApiAgrees } of examples) {
          const json: unknown = JSON.parse(text);
          const accepts = validators.get(type) ?? assert.fail(`no validators for ${type}`);
          assert.equal(bytesFromJson(registryOf(type), type, text).ok, service, `${text}: the service`);
          assert.equal(accepts.byOpenApi(json), openApiAgrees ? service : !service, `${text}: OpenAPI`);
          const isOpenApiOnly = row.startsWith('OpenAPI only');
          assert.equal(accepts.bySchema(json), isOpenApiOnly ? service : !service, `${text}: JSON Schema`);
        }
      });
    }
  }
});

/** The first column of the table below a heading. */
function rowsBelow(markdown: string, title: string): string[] {
  const section = markdown.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? assert.fail(title);
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((line) => (line.split('|')[1] ?? '').trim());
}
