import assert from 'node:assert/strict';
import { create } from '@bufbuild/protobuf';
import { TimestampSchema } from '@bufbuild/protobuf/wkt';
import { compileProtos } from '../../../../service/messages/compile/compile-protos.ts';
import { createRegistry, type MessageRegistry } from '../../../../service/messages/registry.ts';
import { outputProblem } from '../../../../service/nodes/serve/output-problem.ts';

const proto = `syntax = "proto3"; package t;
import "google/protobuf/timestamp.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/wrappers.proto";
message All {
  string text = 1; int32 small = 2; uint32 count = 3; int64 big = 4; uint64 ubig = 5; bool flag = 6; bytes data = 7;
  double real = 8; Color color = 9; Line line = 10; repeated Line lines = 11; map<string, Line> by_name = 12;
  map<int32, string> by_number = 13; map<bool, string> by_flag = 14; google.protobuf.Timestamp at = 15;
  google.protobuf.Struct extra = 16; google.protobuf.Int64Value maybe = 17; repeated int32 numbers = 18;
  optional string note = 19; oneof choice { string left = 20; Line right = 21; Color shade = 26; } string display_name = 22;
  google.protobuf.Value any_json = 23; repeated google.protobuf.Int64Value wrapped = 24; repeated google.protobuf.Struct structs = 25;
  repeated Color colors = 27; map<string, Color> by_color = 28; Many many = 29;
}
message Line { string sku = 1; All back = 2; }
enum Color { COLOR_UNSPECIFIED = 0; COLOR_RED = 1; }
enum Many { A = 0; B = 1; C = 2; D = 3; E = 4; F = 5; G = 6; H = 7; I = 8; J = 9; K = 10; }`;

class Own {
  text?: string;

  shout(): string {
    return `${this.text}!`;
  }
}

class Getter {
  get text(): string {
    return this.constructor.name;
  }
}

function* generator(): Generator<object> {
  yield {};
}

async function* asyncGenerator(): AsyncGenerator<object> {
  yield await Promise.resolve({});
}

describe("a handler's output", () => {
  let registry: MessageRegistry;
  before(async () => {
    registry = createRegistry(await compileProtos({ 't.proto': proto }));
  });
  const problem = (value: unknown): string | undefined => outputProblem(registry.getMessage('t.All')!, value);

  for (const [what, value] of Object.entries({
    'an empty object': {},
    'fields left out as undefined or null': { text: undefined, line: null, lines: null },
    'numbers for 64 bit integers': { big: -5, ubig: 5 },
    'the extremes of integers': {
      big: -(2n ** 63n),
      ubig: 2n ** 64n - 1n,
      small: -(2 ** 31),
      count: 2 ** 32 - 1,
    },
    'nested objects, lists and maps': {
      line: { sku: 'a', back: { text: 'b' } },
      lines: [{ sku: 'a' }, {}],
      byName: { a: { sku: 'x' } },
      byNumber: { '-1': 'x' },
      byFlag: { true: 'x' },
      numbers: [1, 2],
    },
    'a oneof, set and empty': { choice: { case: 'right', value: { sku: 'a' } } },
    'an empty oneof': { choice: { case: undefined } },
    'what stands for itself': { extra: { any: ['json'] }, maybe: 5n, structs: [{ a: 1 }] },
    'messages of the well-known types': { at: create(TimestampSchema, { seconds: 1n }) },
    'an enum number that is not declared': { color: 99 },
    'the name of an enum value': {
      color: 'COLOR_RED',
      colors: ['COLOR_RED'],
      byColor: { a: 'COLOR_RED' },
      many: 'K',
    },
    'the name of an enum value in a oneof': { choice: { case: 'shade', value: 'COLOR_RED' } },
    'a Buffer for bytes': { data: Buffer.from('x') },
    infinities: { real: Infinity },
    'an instance of a class with fields of its own': Object.assign(new Own(), { text: 'a' }),
    'an object without a prototype': Object.assign(Object.create(null), { text: 'a' }) as object,
    'a key that is called __proto__': { byName: JSON.parse('{"__proto__": {"sku": "a"}}') as unknown },
  })) {
    it(`may be ${what}`, () => assert.equal(problem(value), undefined));
  }

  for (const [value, expected] of [
    [undefined, 'expected an object with the fields of t.All, got undefined'],
    [null, 'expected an object with the fields of t.All, got null'],
    ['text', 'expected an object with the fields of t.All, got "text"'],
    [[{}], 'expected an object with the fields of t.All, got an array'],
    [{ txt: 'a' }, 't.All has no field "txt"'],
    [generator(), 'expected an object with the fields of t.All, got an iterator'],
    [asyncGenerator(), 'expected an object with the fields of t.All, got an iterator'],
    [Promise.resolve({}), 'expected an object with the fields of t.All, got a Promise'],
    [new Getter(), 'expected an object with the fields of t.All, got a Getter'],
    [
      Object.assign(new Getter(), { flag: true }),
      'text: the field is inherited from a class: return a plain object',
    ],
    [{ line: new Set() }, 'line: expected an object with the fields of t.Line, got a Set'],
    [{ extra: new Set() }, 'extra: expected a JSON object, got a Set'],
    [{ display_name: 'a' }, 't.All has no field "display_name": use displayName'],
    [{ left: 'a' }, 't.All has no field "left": write choice: {case: \'left\', value: ...}'],
    [{ text: 5 }, 'text: expected a string, got 5'],
    [{ text: '\ud800' }, 'text: the string contains a lone surrogate'],
    [{ small: 2 ** 31 }, 'small: expected an integer of 32 bits, got 2147483648'],
    [{ small: 1.5 }, 'small: expected an integer of 32 bits, got 1.5'],
    [{ small: NaN }, 'small: expected an integer of 32 bits, got NaN'],
    [{ count: -1 }, 'count: expected an unsigned integer of 32 bits, got -1'],
    [{ big: '5' }, 'big: expected an integer of 64 bits (bigint), got "5"'],
    [{ big: 2 ** 53 }, 'big: expected an integer of 64 bits (bigint), got 9007199254740992'],
    [{ big: 2n ** 63n }, 'big: expected an integer of 64 bits (bigint), got 9223372036854775808'],
    [{ ubig: -1n }, 'ubig: expected an unsigned integer of 64 bits (bigint), got -1'],
    [{ flag: 1 }, 'flag: expected a boolean, got 1'],
    [{ data: [1, 2] }, 'data: expected a Uint8Array, got an array'],
    [{ real: '1' }, 'real: expected a number, got "1"'],
    [{ color: 'RED' }, 'color: expected a value of t.Color (COLOR_UNSPECIFIED, COLOR_RED), got "RED"'],
    [{ colors: ['RED'] }, 'colors[0]: expected a value of t.Color (COLOR_UNSPECIFIED, COLOR_RED), got "RED"'],
    [{ color: 2 ** 31 }, 'color: expected an integer of 32 bits, got 2147483648'],
    [{ many: 'N' }, 'many: expected a value of t.Many (A, B, C, D, E, F, G, H, I, J, ...), got "N"'],
    [{ lines: { sku: 'a' } }, 'lines: expected an array, got an object'],
    [{ lines: [{ sku: 'a' }, { sku: 1 }] }, 'lines[1].sku: expected a string, got 1'],
    [{ lines: [null] }, 'lines[0]: expected an object with the fields of t.Line, got null'],
    [{ byName: new Map() }, 'byName: expected an object, got a Map'],
    [{ byName: { 'a b': { sku: 1 } } }, 'byName["a b"].sku: expected a string, got 1'],
    [{ byNumber: { x: 'a' } }, 'byNumber["x"]: expected an integer key'],
    [
      { byNumber: { '2147483648': 'a' } },
      'byNumber["2147483648"]: expected an integer of 32 bits, got 2147483648',
    ],
    [{ byFlag: { yes: 'a' } }, 'byFlag["yes"]: expected a key true or false'],
    [{ choice: 'left' }, 'choice: expected {case: \'...\', value: ...}, got "left"'],
    [{ choice: { case: 'middle' } }, "choice.case: expected one of 'left', 'right', 'shade', got \"middle\""],
    [{ choice: { case: 'left', value: 5 } }, 'choice.value: expected a string, got 5'],
    [{ choice: { case: 'right', value: { sku: 5 } } }, 'choice.value.sku: expected a string, got 5'],
    [
      { at: new Date(0) },
      'at: expected an object with the fields of google.protobuf.Timestamp ' +
        '(timestampFromDate of @bufbuild/protobuf/wkt makes one), got a Date',
    ],
    [{ line: create(TimestampSchema) }, 'line: expected a t.Line, got "google.protobuf.Timestamp"'],
    [{ extra: 'x' }, 'extra: expected a JSON object, got "x"'],
    [{ maybe: { value: 5n } }, 'maybe: expected an integer of 64 bits (bigint), got an object'],
    [
      { wrapped: [5n] },
      'wrapped[0]: expected an object with the fields of google.protobuf.Int64Value, got 5',
    ],
  ] as const) {
    it(`is rejected: ${expected}`, () => assert.equal(problem(value), expected));
  }
});
