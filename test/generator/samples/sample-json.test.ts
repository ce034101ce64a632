import assert from 'node:assert/strict';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { givenFields } from '../../../generator/samples/sample-json.ts';
import type { JsonValue } from '../../../generator/model/sdk-model.ts';
import { compileProtos } from '../../../service/messages/compile/compile-protos.ts';
import { createRegistry } from '../../../service/messages/registry.ts';
import { describeTypes } from '../../../specs/messages/describe-types.ts';
import { itSlow } from '../../support/fast-run.ts';

describe('the fields of a sample', () => {
  it('are found by proto name and JSON name, in the order of the message', async () => {
    assert.deepEqual(await given({ last_one: 1, firstOne: 2, other: 3 }), [
      ['first_one', 2],
      ['last_one', 1],
    ]);
  });

  it('match a JSON name before an equal proto name', async () => {
    // Such packages can no longer be published, but existing ones keep these names (decision 0030).
    const crossed = withJsonNames(await compileProtos({ 'test.proto': source(twoFields) }), {
      first: 'second',
      second: 'third',
    });
    assert.deepEqual(givenIn(crossed, { second: 1 }), [['first', 1]]);
    assert.deepEqual(givenIn(crossed, { third: 2, second: 1 }), [
      ['first', 1],
      ['second', 2],
    ]);
  });

  it('exclude inherited properties', async () => {
    assert.deepEqual(await given({}), []);
    assert.deepEqual(await given(JSON.parse('{"constructor": 1, "__proto__": 2}') as JsonValue), [
      ['constructor', 1],
      ['__proto__', 2],
    ]);
  });

  itSlow('are empty for values that are not objects', async () => {
    for (const sample of [null, 'text', 1, [{ firstOne: 1 }]]) assert.deepEqual(await given(sample), []);
  });
});

const plain =
  'message M { int32 first_one = 1; int32 last_one = 2; int32 constructor = 3; int32 __proto__ = 4; }';

const twoFields = 'message M { int32 first = 1; int32 second = 2; }';

const source = (messages: string): string => `syntax = "proto3"; ${messages}`;

async function given(sample: JsonValue): Promise<[string, JsonValue][]> {
  return givenIn(await compileProtos({ 'test.proto': source(plain) }), sample);
}

function givenIn(descriptorSet: Uint8Array, sample: JsonValue): [string, JsonValue][] {
  const [message] = describeTypes(createRegistry(descriptorSet), ['M']).messages;
  assert.ok(message);
  return givenFields(message, sample).map(({ field, value }) => [field.name, value]);
}

/** Returns the descriptors with other JSON names, by the name of a field. */
function withJsonNames(descriptorSet: Uint8Array, names: Record<string, string>): Uint8Array {
  const set = fromBinary(FileDescriptorSetSchema, descriptorSet);
  const fields = set.file.flatMap(({ messageType }) => messageType.flatMap(({ field }) => field));
  for (const field of fields) field.jsonName = names[field.name] ?? field.jsonName;
  return toBinary(FileDescriptorSetSchema, set);
}
