import assert from 'node:assert/strict';
import { hasPresence, mayBeAbsent } from '../../../generator/model/presence.ts';
import { describeTypes } from '../../../specs/messages/describe-types.ts';
import { compiledRegistry } from '../../support/compiled-protos.ts';

const source = `
syntax = "proto3";
import "google/protobuf/struct.proto";
import "google/protobuf/wrappers.proto";
message M {
  string plain = 1;
  optional string told = 2;
  repeated M list = 3;
  map<string, M> table = 4;
  oneof choice { string chosen = 5; google.protobuf.NullValue chosen_null = 6; }
  M message = 7;
  google.protobuf.StringValue wrapper = 8;
  google.protobuf.NullValue plain_null = 9;
  optional google.protobuf.NullValue told_null = 10;
  repeated google.protobuf.NullValue nulls = 11;
  map<string, google.protobuf.NullValue> null_table = 12;
}`;

describe('presence', () => {
  it('is true for optional fields, cases of a oneof and messages', async () => {
    assert.deepEqual(
      (await fieldsOf(source)).filter(hasPresence).map(({ name }) => name),
      ['told', 'chosen', 'chosen_null', 'message', 'wrapper', 'told_null'],
    );
  });

  it('extends to a plain NullValue field for languages that distinguish null from absence', async () => {
    const fields = await fieldsOf(source);
    assert.deepEqual(
      fields.filter((field) => mayBeAbsent(field) && !hasPresence(field)).map(({ name }) => name),
      ['plain_null'],
    );
    assert.ok(fields.filter(hasPresence).every(mayBeAbsent));
  });
});

async function fieldsOf(proto: string) {
  const { messages } = describeTypes(await compiledRegistry(proto), ['M']);
  return messages.find(({ fullName }) => fullName === 'M')?.fields ?? [];
}
