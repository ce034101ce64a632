import assert from 'node:assert/strict';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { jsonFromBytes } from '../../../../service/messages/json/message-to-json.ts';
import { messageType } from '../../../../service/messages/message-type.ts';
import { decodeMessage } from '../../../../service/messages/wire/decode-message.ts';
import type { MessageRegistry } from '../../../../service/messages/registry.ts';
import { compiledRegistry } from '../../../support/compiled-protos.ts';
import { writeMapEntries } from '../../../support/map-entries.ts';

const { Varint, LengthDelimited } = WireType;

const keyKinds = [
  ...['int32', 'int64', 'uint32', 'uint64', 'sint32', 'sint64', 'fixed32', 'fixed64', 'sfixed32', 'sfixed64'],
  ...['bool', 'string'],
];

const closed = `
syntax = "proto2";
package closed;
import "google/protobuf/any.proto";

enum Level { LOW = 1; HIGH = 2; NONE = -1; }
message A {
  optional Level level = 1;
  repeated Level levels = 2;
  repeated Level packed = 3 [packed = true];
  map<string, Level> named = 4;
  oneof pick { Level picked = 5; string text = 6; }
  optional A inner = 7;
  repeated A inners = 8;
  map<int32, A> numbered = 9;
  optional google.protobuf.Any any = 10;
}
message Keys {
${keyKinds.map((kind, index) => `  map<${kind}, Level> by_${kind} = ${index + 1};`).join('\n')}
}
`;

const open = `
syntax = "proto3";
package open;
enum Level { NONE = 0; LOW = 1; }
message A { repeated Level levels = 2; map<string, Level> named = 4; }
`;

describe('decoding a message', () => {
  let registry: MessageRegistry;
  before(async () => {
    registry = await compiledRegistry({ 'closed.proto': closed, 'open.proto': open });
  });

  const json = (typeName: string, bytes: Uint8Array): unknown => {
    const made = jsonFromBytes(registry, typeName, bytes);
    assert.ok(made.ok, made.ok ? '' : made.error.message);
    return JSON.parse(made.value);
  };
  /** Fields of `closed.A` with declared and undeclared numbers. */
  const mixed = (writer = new BinaryWriter()): BinaryWriter => {
    writer.tag(1, Varint).int32(2).tag(1, Varint).int32(9);
    for (const number of [1, 9, -1, -7, 2]) writer.tag(2, Varint).int32(number);
    writer.tag(3, LengthDelimited).fork().int32(7).int32(1).join();
    const named = [
      ['a', 1],
      ['b', 9],
      ['__proto__', 3],
    ] as const;
    return writeMapEntries(writer, 4, named).tag(5, Varint).int32(8);
  };
  const declared = { level: 'HIGH', levels: ['LOW', 'NONE', 'HIGH'], packed: ['LOW'], named: { a: 'LOW' } };

  it('drops undeclared numbers of closed enums, at every depth', () => {
    assert.deepEqual(json('closed.A', mixed().finish()), declared);
    const around = new BinaryWriter();
    mixed(around.tag(7, LengthDelimited).fork()).join();
    mixed(around.tag(8, LengthDelimited).fork()).join();
    mixed(around.tag(9, LengthDelimited).fork().tag(1, Varint).int32(5).tag(2, LengthDelimited).fork())
      .join()
      .join();
    around
      .tag(10, LengthDelimited)
      .fork()
      .tag(1, LengthDelimited)
      .string('type.googleapis.com/closed.A')
      .tag(2, LengthDelimited)
      .bytes(mixed().finish());
    around.join();
    assert.deepEqual(json('closed.A', around.finish()), {
      inner: declared,
      inners: [declared],
      numbered: { 5: declared },
      any: { '@type': 'type.googleapis.com/closed.A', ...declared },
    });
  });

  it('keeps undeclared numbers of closed enums as unknown fields, which are encoded again', () => {
    const type = messageType(registry, 'closed.A');
    const bytes = mixed().finish();
    const again = toBinary(type, decodeMessage(type, bytes, registry));
    // The library keeps undeclared numbers in lists and maps.
    const [before, after] = [fromBinary(type, bytes), fromBinary(type, again)] as Record<string, unknown>[];
    const sorted = (numbers: unknown): number[] =>
      (numbers as number[]).toSorted((one, other) => one - other);
    assert.deepEqual(sorted(after?.levels), [-7, -1, 1, 2, 9]);
    assert.deepEqual(sorted(after?.packed), [1, 7]);
    assert.deepEqual(after?.named, before?.named);
  });

  it('keeps map entries for every kind of key', () => {
    const type = messageType(registry, 'closed.Keys');
    const writer = new BinaryWriter();
    for (const [index, kind] of keyKinds.entries()) {
      const fixed = kind.endsWith('64') ? WireType.Bit64 : WireType.Bit32;
      const wireType = kind === 'string' ? LengthDelimited : kind.includes('fixed') ? fixed : Varint;
      const key = writer
        .tag(index + 1, LengthDelimited)
        .fork()
        .tag(1, wireType);
      if (kind === 'bool') key.bool(true);
      else if (kind === 'string') key.string('ключ');
      else
        key[kind as 'int64'](kind.startsWith('u') || kind.startsWith('f') ? 4_000_000_000 : -2_000_000_000);
      key.tag(2, Varint).int32(9).join();
    }
    const bytes = writer.finish();
    assert.deepEqual(json('closed.Keys', bytes), {});
    assert.deepEqual(Buffer.from(toBinary(type, decodeMessage(type, bytes))), Buffer.from(bytes));
  });

  it('keeps undeclared numbers of open enums', () => {
    const writer = new BinaryWriter().tag(2, Varint).int32(9);
    writeMapEntries(writer, 4, [['a', 9]]);
    assert.deepEqual(json('open.A', writer.finish()), { levels: [9], named: { a: 9 } });
  });
});
