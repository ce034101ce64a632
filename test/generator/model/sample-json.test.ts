import assert from 'node:assert/strict';
import { givenFields } from '../../../generator/model/sample-json.ts';
import type { JsonValue } from '../../../generator/model/sdk-model.ts';
import { describeTypes } from '../../../specs/messages/describe-types.ts';
import { compiledRegistry } from '../../support/compiled-protos.ts';

describe('what a sample gives', () => {
  it('is found under both names of a field, in the order of the message', async () => {
    assert.deepEqual(await given({ last_one: 1, firstOne: 2, other: 3 }), [
      ['first_one', 2],
      ['last_one', 1],
    ]);
  });

  it('is not the field’s that is called in the proto what another is called in JSON', async () => {
    const crossed =
      'message M { int32 first = 1 [json_name = "second"]; int32 second = 2 [json_name = "third"]; }';
    assert.deepEqual(await given({ second: 1 }, crossed), [['first', 1]]);
    assert.deepEqual(await given({ third: 2, second: 1 }, crossed), [
      ['first', 1],
      ['second', 2],
    ]);
  });

  it('is nothing that the sample only inherits', async () => {
    assert.deepEqual(await given({}), []);
    assert.deepEqual(await given(JSON.parse('{"constructor": 1, "__proto__": 2}') as JsonValue), [
      ['constructor', 1],
      ['__proto__', 2],
    ]);
  });

  it('is nothing when it is no object', async () => {
    for (const sample of [null, 'text', 1, [{ firstOne: 1 }]]) assert.deepEqual(await given(sample), []);
  });
});

const plain =
  'message M { int32 first_one = 1; int32 last_one = 2; int32 constructor = 3; int32 __proto__ = 4; }';

async function given(sample: JsonValue, proto = plain): Promise<[string, JsonValue][]> {
  const registry = await compiledRegistry(`syntax = "proto3"; ${proto}`);
  const [message] = describeTypes(registry, ['M']).messages;
  assert.ok(message);
  return givenFields(message, sample).map(({ field, value }) => [field.name, value]);
}
