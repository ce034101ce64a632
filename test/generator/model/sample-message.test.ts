import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createSampler } from '../../../generator/model/sample-message.ts';
import { describeTypes } from '../../../specs/messages/describe-types.ts';
import { bytesFromJson } from '../../../service/messages/json/message-from-json.ts';
import { compiledRegistry } from '../../support/compiled-protos.ts';
import { kitchenSink } from '../../support/kitchen-sink.ts';
import { listSdkFixtures, sdkFixturesDir } from '../../support/sdk-fixtures.ts';

/** The SDK fixtures that have protos of their own. */
function protoFolders(): [name: string, folder: string][] {
  const own = listSdkFixtures().map((name): [string, string] => [
    name,
    path.join(sdkFixturesDir, name, 'protos'),
  ]);
  return own.filter(([, folder]) => existsSync(folder));
}

describe('the sample of a message', () => {
  const sources: [name: string, source: string][] = [
    ['the kitchen sink', kitchenSink],
    ...protoFolders().flatMap(([name, folder]) => {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
        file.endsWith('.proto'),
      );
      return files.map((file): [string, string] => [
        `${name} ${file}`,
        readFileSync(path.join(folder, file), 'utf8'),
      ]);
    }),
  ];
  for (const [name, source] of sources) {
    it(`is accepted by the service for every message of ${name}`, async () => {
      const registry = await compiledRegistry(source);
      const names = [...registry].flatMap((type) => (type.kind === 'message' ? [type.typeName] : []));
      const sampler = createSampler(describeTypes(registry, names));
      for (const fullName of names.filter((each) => !each.startsWith('google.'))) {
        const sample = sampler.sample(fullName);
        const read = bytesFromJson(registry, fullName, JSON.stringify(sample));
        assert.ok(read.ok, `${fullName}: ${JSON.stringify(read)}\n${JSON.stringify(sample)}`);
      }
    });
  }

  it('derives values from field names', async () => {
    assert.deepEqual(
      await sampleOf(
        'message M { string email = 1; string text = 2; int64 price_cents = 3; bytes data = 4; }',
      ),
      {
        email: 'ada@example.com',
        text: 'Two ships left the harbour.',
        priceCents: '1250',
        data: 'c2hpcA==',
      },
    );
  });

  it('sets every field, one element per list or map, and the first case of a oneof', async () => {
    const source =
      'message M { repeated int32 a = 1; map<bool, N> b = 2; oneof c { string x = 3; string y = 4; } N d = 5; } message N { bool e = 1; }';
    assert.deepEqual(await sampleOf(source), {
      a: [3],
      b: { true: { e: true } },
      x: 'example',
      d: { e: true },
    });
  });

  it('omits recursive fields', async () => {
    assert.deepEqual(
      await sampleOf(
        'message M { string name = 1; M left = 2; N n = 3; } message N { M m = 1; bool ok = 2; }',
      ),
      {
        name: 'Ada',
        n: { ok: true },
      },
    );
  });

  it('stays small when messages fan out', async () => {
    const fields = (type: string): string =>
      Array.from({ length: 9 }, (_, i) => `${type} f${i} = ${i + 1};`).join(' ');
    const source = `message M { ${fields('N')} } message N { ${fields('O')} } message O { ${fields('string')} }`;
    const values = JSON.stringify(await sampleOf(source)).match(/"example"/g)?.length ?? 0;
    assert.equal(values, 40);
  });

  it('omits deprecated fields and enum values, and prefers a nonzero enum value', async () => {
    const source =
      'message M { string old = 1 [deprecated = true]; E e = 2; } enum E { ZERO = 0; OLD = 1 [deprecated = true]; NEW = 2; }';
    assert.deepEqual(await sampleOf(source), { e: 'NEW' });
  });

  it('sets a field with the JSON name __proto__', async () => {
    const sample = await sampleOf('message M { string a = 1 [json_name = "__proto__"]; }');
    assert.equal(JSON.stringify(sample), '{"__proto__":"example"}');
  });

  it('uses the JSON form of well-known types', () => {
    const sampler = createSampler({ messages: [], enums: [] });
    assert.deepEqual(sampler.sample('google.protobuf.Struct'), { key: 'value' });
    assert.deepEqual(sampler.sample('google.protobuf.Empty'), {});
    assert.equal(sampler.sample('google.protobuf.Duration'), '1.500s');
  });
});

async function sampleOf(messages: string): Promise<unknown> {
  const registry = await compiledRegistry(`syntax = "proto3"; package p; ${messages}`);
  return createSampler(describeTypes(registry, ['p.M'])).sample('p.M');
}
