import assert from 'node:assert/strict';
import { fromJsonString, toBinary, toJsonString } from '@bufbuild/protobuf';
import { fromBinary } from '@bufbuild/protobuf';
import type { DescMessage } from '@bufbuild/protobuf';
import { linkDescriptors } from '../../../specs/messages/link-descriptors.ts';
import { compileProtos } from '../../../service/messages/compile/compile-protos.ts';
import { itSlow } from '../../support/fast-run.ts';

async function messageOf(source: string): Promise<DescMessage> {
  const message = linkDescriptors(await compileProtos({ 'a.proto': source })).getMessage('a.M');
  assert.ok(message);
  return message;
}

/** JSON of a message after it went to bytes and back. */
function roundTrip(type: DescMessage, json: string): string {
  return toJsonString(type, fromBinary(type, toBinary(type, fromJsonString(type, json))));
}

describe('linking descriptors', () => {
  const proto3 = 'syntax = "proto3"; package a;';

  itSlow('distinguishes fields and oneofs whose names differ only in case', async () => {
    const cases: [string, string[]][] = [
      [
        'string fooBar = 1; oneof foo_bar { string a = 2; int32 b = 3; }',
        ['{"fooBar":"x","a":"y"}', '{"b":3}'],
      ],
      ['oneof foo_bar { string a = 2; } repeated string fooBar = 1;', ['{"fooBar":["x"],"a":"y"}', '{}']],
      ['oneof foo_bar { string a = 2; } oneof fooBar { int32 b = 3; }', ['{"a":"y","b":3}']],
    ];
    for (const [members, texts] of cases) {
      const type = await messageOf(`${proto3} message M { ${members} }`);
      for (const text of texts) assert.equal(roundTrip(type, text), text, members);
    }
  });

  it('distinguishes proto2 fields by their JSON names, inside and outside a oneof', async () => {
    const outside = 'optional string foo_bar = 1 [json_name = "q"]; optional int32 fooBar = 2;';
    const type = await messageOf(`syntax = "proto2"; package a; message M { ${outside} }`);
    assert.equal(roundTrip(type, '{"q":"B","fooBar":3}'), '{"q":"B","fooBar":3}');
    const inside = 'oneof o { string foo_bar = 1 [json_name = "q"]; int32 fooBar = 2; }';
    const chosen = await messageOf(`syntax = "proto2"; package a; message M { ${inside} }`);
    for (const text of ['{"q":"B"}', '{"fooBar":3}']) assert.equal(roundTrip(chosen, text), text);
  });

  itSlow('keeps the proto name of every enum value, whatever its options', async () => {
    const head = `${proto3} import "google/protobuf/descriptor.proto";`;
    const use = (option: string) =>
      `enum E { E_A = 0; E_B = 1 [${option} = "hello"]; } message M { E e = 1; }`;
    const named = `message J { string s = 1; } extend google.protobuf.EnumValueOptions { J json = 998; }`;
    const text = 'extend google.protobuf.EnumValueOptions { string label = 998; }';
    for (const source of [`${named} ${use('(json).s')}`, `${text} ${use('(label)')}`]) {
      assert.equal(roundTrip(await messageOf(`${head} ${source}`), '{"e":"E_B"}'), '{"e":"E_B"}');
    }
  });
});
