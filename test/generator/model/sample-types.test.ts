import assert from 'node:assert/strict';
import type { JsonValue } from '../../../generator/model/sdk-model.ts';
import { typesInSample } from '../../../generator/model/sample-types.ts';
import { TypeIndex } from '../../../generator/model/type-index.ts';
import { describeTypes } from '../../../specs/messages/describe-types.ts';
import { compiledRegistry } from '../../support/compiled-protos.ts';

describe('the types that a sample names', () => {
  it('are its own and those of the fields it gives, each once', async () => {
    assert.deepEqual(await named({ one: { kind: 'KIND_A' }, many: [{}, { inner: {} }], text: 'a' }), [
      'p.M',
      'p.Leaf',
      'p.Kind',
      'p.Inner',
    ]);
  });

  it('are those of entries of maps, by either name of the field', async () => {
    assert.deepEqual(await named({ byKey: { a: {} } }), ['p.M', 'p.Inner']);
    assert.deepEqual(await named({ by_key: { a: {} } }), ['p.M', 'p.Inner']);
  });

  it('are none of fields that it lacks, nor well-known ones', async () => {
    assert.deepEqual(await named({ when: '2026-01-31T09:30:00Z' }), ['p.M']);
    assert.deepEqual(await named('value', 'google.protobuf.StringValue'), []);
  });
});

async function named(sample: JsonValue, fullName = 'p.M'): Promise<string[]> {
  const registry = await compiledRegistry(`
    syntax = "proto3"; package p; import "google/protobuf/timestamp.proto";
    message M {
      Leaf one = 1; repeated Leaf many = 2; map<string, Inner> by_key = 3; string text = 4;
      google.protobuf.Timestamp when = 5;
    }
    message Leaf { Kind kind = 1; Inner inner = 2; }
    message Inner {}
    enum Kind { KIND_NONE = 0; KIND_A = 1; }`);
  return [...typesInSample(new TypeIndex(describeTypes(registry, ['p.M'])), fullName, sample)];
}
