import assert from 'node:assert/strict';
import { checkPayload } from '../../../../service/messages/wire/check-payload.ts';
import type { MessageRegistry } from '../../../../service/messages/registry.ts';
import { compiledRegistry } from '../../../support/compiled-protos.ts';
import { kitchenSink } from '../../../support/kitchen-sink.ts';

let registry: MessageRegistry;

before(async () => {
  registry = await compiledRegistry({
    'sink.proto': kitchenSink,
    'groups.proto': `syntax = "proto2"; package two;
      message A {
        optional group Part = 1 { optional int32 x = 1; optional A deep = 2; }
        repeated group Item = 3 { optional string name = 1; }
        repeated int32 loose = 4;
        repeated fixed64 packed = 5 [packed = true];
        optional string text = 6;
      }`,
  });
});

const sinkType = 'test.v1.Sink';

function check(typeName: string, ...bytes: (number | number[])[]): string | undefined {
  const input = Uint8Array.from(bytes.flat());
  const checked = checkPayload(registry, typeName, input);
  if (checked.ok) {
    assert.equal(checked.value, input);
    return undefined;
  }
  assert.equal(checked.error.code, 'payload_mismatch');
  const prefix = "payload does not match the node's current input schema: ";
  assert.ok(checked.error.message.startsWith(prefix), checked.error.message);
  return checked.error.message.slice(prefix.length);
}

const varint = 0;
const bit64 = 1;
const delimited = 2;
const startGroup = 3;
const endGroup = 4;
const bit32 = 5;

function tag(field: number, wireType: number): number[] {
  return encode(field * 8 + wireType);
}

function encode(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) | 128, ...encode(Math.floor(value / 128))];
}

function text(field: number, bytes: number[]): number[] {
  return [...tag(field, delimited), ...encode(bytes.length), ...bytes];
}

const eight = [1, 2, 3, 4, 5, 6, 7, 8];
const four = [1, 2, 3, 4];

describe('checking a payload', () => {
  it('accepts every field kind with its own wire type, and empty bytes', () => {
    assert.equal(check(sinkType), undefined);
    const all = [
      [...tag(1, bit64), ...eight],
      [...tag(2, bit32), ...four],
      [...tag(3, varint), ...[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]],
      [...tag(10, bit64), ...eight],
      [...tag(11, bit32), ...four],
      [...tag(13, varint), 1],
      text(14, [0xc3, 0xa9]),
      text(15, [0xff]),
      [...tag(16, varint), 77],
      text(17, [...tag(3, varint), 5]),
      text(20, [1, 2, 0x80, 1]),
      [...tag(20, varint), 1],
      text(24, [...eight, ...eight]),
      text(30, [...text(1, [0x61]), ...text(2, [...tag(3, varint), 5])]),
      text(31, []),
      text(41, [...tag(1, varint), 1, ...tag(2, varint), 1]),
      text(71, [...tag(1, varint), 5]),
    ];
    assert.equal(check(sinkType, ...all), undefined);
  });

  const refusals: [name: string, bytes: number[], detail: RegExp][] = [
    ['an undeclared field', [...tag(1000, varint), 1], /^test\.v1\.Sink: field number 1000 is not declared$/],
    [
      'an undeclared field of a nested message',
      text(17, text(23, [...tag(1000, varint), 1])),
      /^test\.v1\.Sink: field number 1000 is not declared$/,
    ],
    [
      'another wire type',
      [...tag(14, varint), 1],
      /^test\.v1\.Sink\.a_string: field 14 has wire type 0 \(varint\), expected 2 \(length-delimited\)$/,
    ],
    [
      'a fixed number as a varint',
      [...tag(9, varint), 1],
      /a_fixed32: field 9 has wire type 0 .* expected 5 \(32-bit\)/,
    ],
    [
      'a message as a group',
      [...tag(17, startGroup), ...tag(17, endGroup)],
      /child: field 17 has wire type 3 \(group\)/,
    ],
    ['packed strings', text(3, [1]), /an_int32: field 3 has wire type 2/],
    ['an end without a group', tag(17, endGroup), /end tag of group 17 without a matching start tag/],
    ['a field number of zero', [0, 1], /^invalid tag at byte 0$/],
    ['an unknown wire type', [0x0e], /^unknown wire type 6 at byte 0$/],
    ['a tag that is too big', [0xff, 0xff, 0xff, 0xff, 0x7f], /^invalid tag at byte 0$/],
    ['a truncated tag', [0x80], /^truncated varint at byte 0$/],
    ['a truncated varint', [...tag(3, varint), 0x80], /^truncated varint at byte 1$/],
    ['a missing varint', tag(3, varint), /^truncated varint at byte 1$/],
    [
      'a varint of eleven bytes',
      [...tag(3, varint), ...Array<number>(10).fill(0xff), 1],
      /^varint of more than 10 bytes at byte 1$/,
    ],
    ['a truncated double', [...tag(1, bit64), 1, 2], /^truncated value at byte 1$/],
    [
      'a truncated string',
      [...tag(14, delimited), 5, 1],
      /^truncated value: expected 5 bytes, got 1 at byte 1$/,
    ],
    [
      'a length beyond all',
      [...tag(14, delimited), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
      /^truncated value/,
    ],
    ['a value that leaves its message', [...text(17, tag(3, varint)), 1], /^truncated varint/],
    ['a string that leaves its message', [...text(17, [...tag(14, delimited), 2]), 1, 1], /^truncated value/],
    ['a string that is not UTF-8', text(14, [0xff]), /^test\.v1\.Sink\.a_string: the string is not UTF-8$/],
    ['a packed list cut in a number', text(24, eight.slice(1)), /^truncated value/],
    ['a packed list cut in a varint', text(20, [0x80]), /^truncated varint/],
    [
      'a map entry with a third field',
      text(30, [...tag(3, varint), 1]),
      /by_string: field number 3 is not declared in a map entry/,
    ],
    ['a map key of another kind', text(30, [...tag(1, varint), 1]), /by_string: the map key has wire type 0/],
    [
      'a map value of another kind',
      text(31, [...tag(2, varint), 1]),
      /by_int32: the map value has wire type 0/,
    ],
    [
      'what is wrong within a map value',
      text(30, text(2, [...tag(1000, varint), 1])),
      /field number 1000 is not declared/,
    ],
    ['a map key that is not UTF-8', text(30, text(1, [0xff])), /by_string: the string is not UTF-8/],
    [
      'what is wrong within a well-known type',
      text(71, [...tag(3, varint), 1]),
      /^google\.protobuf\.Timestamp: field number 3/,
    ],
  ];
  for (const [name, bytes, detail] of refusals) {
    it(`rejects ${name}`, () => assert.match(check(sinkType, bytes) ?? 'accepted', detail));
  }

  it('accepts messages nested 100 levels deep and rejects 101', () => {
    const nested = (depth: number): number[] => (depth === 1 ? [] : text(17, nested(depth - 1)));
    assert.equal(check(sinkType, nested(100)), undefined);
    assert.equal(check(sinkType, nested(101)), 'messages nest deeper than 100 levels');
  });

  it('rejects deeply nested bytes without a stack overflow', () => {
    let bytes: number[] = [];
    for (let depth = 0; depth < 2000; depth += 1) bytes = text(17, bytes);
    assert.equal(check(sinkType, bytes), 'messages nest deeper than 100 levels');
  });

  it('accepts groups', () => {
    const part = [...tag(1, startGroup), ...tag(1, varint), 5, ...tag(1, endGroup)];
    const items = [...tag(3, startGroup), ...text(1, [0x61]), ...tag(3, endGroup)];
    assert.equal(check('two.A', part, items, items), undefined);
    assert.match(check('two.A', text(1, [])) ?? '', /part: field 1 has wire type 2 .* expected 3 \(group\)/);
    assert.match(check('two.A', tag(1, startGroup)) ?? '', /group 1 has no end tag/);
    assert.match(check('two.A', tag(1, startGroup), tag(3, endGroup)) ?? '', /end tag of group 3 without/);
    assert.match(check('two.A', text(6, [0x61]), tag(1, endGroup)) ?? '', /end tag of group 1 without/);
    assert.match(
      check('two.A', tag(1, startGroup), tag(9, varint), 1, tag(1, endGroup)) ?? '',
      /^two\.A\.Part: field number 9 is not declared$/,
    );
  });

  it('rejects a group that ends inside a nested message', () => {
    const deep = text(2, tag(1, endGroup));
    assert.match(
      check('two.A', tag(1, startGroup), deep, tag(1, endGroup)) ?? '',
      /end tag of group 1 without/,
    );
  });

  it('accepts packed and unpacked lists regardless of their declaration', () => {
    assert.equal(check('two.A', text(4, [1, 2]), tag(4, varint), 1), undefined);
    assert.equal(check('two.A', text(5, eight), tag(5, bit64), eight), undefined);
  });

  it('does not require UTF-8 in proto2 strings', () => {
    assert.equal(check('two.A', text(6, [0xff])), undefined);
  });
});
