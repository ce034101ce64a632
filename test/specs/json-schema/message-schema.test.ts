import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { createSampler } from '../../../generator/model/sample-message.ts';
import { bytesFromJson } from '../../../service/messages/json/message-from-json.ts';
import type { MessageRegistry } from '../../../service/messages/registry.ts';
import type { Direction, JsonSchema } from '../../../specs/json-schema/json-schema.ts';
import { messageSchema } from '../../../specs/json-schema/message-schema.ts';
import { describeTypes } from '../../../specs/messages/describe-types.ts';
import { compiledRegistry } from '../../support/compiled-protos.ts';
import { kitchenSink } from '../../support/kitchen-sink.ts';

const root = 'test.v1.Sink';

describe('the JSON Schema of a message', () => {
  let registry: MessageRegistry;
  let accepts: Record<Direction, ValidateFunction>;
  const schemaFor = (direction: Direction, name = root): JsonSchema =>
    messageSchema(describeTypes(registry, [root]), name, direction);

  before(async () => {
    registry = await compiledRegistry(kitchenSink);
    accepts = { input: compiled(schemaFor('input')), output: compiled(schemaFor('output')) };
  });

  const valid: [field: string, ...values: unknown[]][] = [
    ['anInt32', 0, -2147483648, 2147483647],
    ['anInt64', '-9223372036854775808', '9223372036854775807', 7],
    ['aUint64', '18446744073709551615', 0],
    ['aDouble', 1.5, 'NaN', '-Infinity'],
    ['aBool', true],
    ['aBytes', 'c2hpcA==', ''],
    ['color', 'RED', 1, -1],
    ['child', {}, { child: { aString: 'x' } }],
    ['numbers', [], ['1', 2]],
    ['byInt32', {}, { '-1': 'a' }],
    ['byBool', { true: 'RED' }],
    ['values', { a: null, b: [1, { c: 2 }] }],
    ['pickText', ''],
    ['maybeString', ''],
    ['any', {}, { '@type': 'type.googleapis.com/google.protobuf.Duration', value: '1s' }],
    ['timestamp', '2026-01-31T09:30:00Z'],
    ['duration', '1s', '-0.500s'],
    ['empty', {}],
    ['mask', 'a,b.c'],
    ['struct', { a: 1 }],
    ['list', [1, 'a', null]],
    ['null', null],
    ['int64Value', '5'],
    ['__proto__', 'x'],
  ];
  for (const [field, ...values] of valid) {
    it(`accepts the values of ${field} that the service accepts`, () => {
      for (const value of values) {
        const json = { [field]: value };
        assert.ok(bytesFromJson(registry, root, JSON.stringify(json)).ok, JSON.stringify(json));
        assert.ok(accepts.input(json), JSON.stringify([json, accepts.input.errors]));
      }
    });
  }

  const invalid: [field: string, ...values: unknown[]][] = [
    ['anInt32', 1.5, 2147483648, 'x', true],
    ['aUint32', -1],
    ['anInt64', '1.5', 'x', 1.5],
    ['aUint64', '-1'],
    ['aDouble', 'one', true],
    ['aBool', 'true', 1],
    ['color', 'BLUE', 9],
    ['child', [], 'x', { unknown: 1 }],
    ['numbers', '1', ['x']],
    ['byInt32', { a: 'b' }],
    ['byBool', { yes: 'RED' }],
    ['timestamp', 'yesterday', 1],
    ['duration', '1', '1m'],
    ['empty', { a: 1 }],
    ['list', {}],
    ['unknown', 1],
  ];
  for (const [field, ...values] of invalid) {
    it(`refuses values of ${field} that the service refuses`, () => {
      for (const value of values) {
        const json = { [field]: value };
        assert.ok(!bytesFromJson(registry, root, JSON.stringify(json)).ok, JSON.stringify(json));
        assert.ok(!accepts.input(json), JSON.stringify(json));
      }
    });
  }

  it('accepts at most one field of a oneof', () => {
    assert.ok(accepts.input({ pickNumber: 1, aString: 'x' }));
    assert.ok(!accepts.input({ pickNumber: 1, pickText: 'x' }));
    assert.ok(!accepts.output({ pickNumber: 1, pickText: 'x' }));
  });

  it('accepts the sample', () => {
    const sample = createSampler(describeTypes(registry, [root])).sample(root);
    assert.ok(accepts.input(sample), JSON.stringify(accepts.input.errors));
  });

  it('accepts unknown fields and enum numbers in outputs', () => {
    assert.ok(accepts.output({ unknown: 1, color: 77, child: { unknown: 1 } }));
    assert.ok(!accepts.output({ color: 'x' }));
    assert.ok(!accepts.output({ anInt64: 5 }), 'a 64-bit integer is written as text');
  });

  it('contains comments, deprecations and only the types that the message reaches', async () => {
    const source = `syntax = "proto3"; package p;
      // A word.
      message Word {
        // Its text.
        string text = 1 [deprecated = true];
        Word next = 2;
        Kind kind = 3;
      }
      message Other { Word word = 1; }
      enum Kind { ZERO = 0; ONE = 1; }`;
    const types = describeTypes((await compiledRegistry(source)).descriptorSet, ['p.Other']);
    assert.deepEqual(messageSchema(types, 'p.Word', 'input'), {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Word',
      description: 'A word.',
      type: 'object',
      properties: {
        text: { description: 'Its text.', deprecated: true, type: ['string', 'null'] },
        next: { anyOf: [{ $ref: '#' }, { type: 'null' }] },
        kind: { anyOf: [{ $ref: '#/$defs/p.Kind' }, { type: 'null' }] },
      },
      additionalProperties: false,
      $defs: {
        'p.Kind': {
          title: 'Kind',
          enum: ['ZERO', 'ONE', 0, 1],
        },
      },
    });
  });

  it('exists for well-known types, but not for unknown ones', () => {
    assert.equal(schemaFor('input', 'google.protobuf.Struct').type, 'object');
    assert.throws(() => schemaFor('input', 'test.v1.Nothing'), /there is no message test\.v1\.Nothing/);
    assert.throws(() => schemaFor('input', 'google.protobuf.toString'), /there is no message/);
  });
});

function compiled(schema: JsonSchema): ValidateFunction {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    // Fields may be called as what every object inherits.
    ownProperties: true,
    strictTypes: false,
    strictRequired: false,
    formats: { int64: true, uint64: true, 'date-time': /^\d{4}-\d\d-\d\dT/ },
  });
  return ajv.compile(schema);
}
