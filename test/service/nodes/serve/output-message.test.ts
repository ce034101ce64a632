import assert from 'node:assert/strict';
import { type DescMessage, fromBinary, toBinary, toJson } from '@bufbuild/protobuf';
import { compileProtos } from '../../../../service/messages/compile/compile-protos.ts';
import { createRegistry, type MessageRegistry } from '../../../../service/messages/registry.ts';
import { outputMessage } from '../../../../service/nodes/serve/output-message.ts';
import { outputProblem } from '../../../../service/nodes/serve/output-problem.ts';

const proto = `syntax = "proto3"; package t;
import "google/protobuf/timestamp.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/wrappers.proto";
message Order {
  string id = 1; repeated Line lines = 2; map<string, Line> by_name = 3; google.protobuf.Timestamp at = 4;
  google.protobuf.Struct extra = 5; google.protobuf.Int64Value maybe = 6; repeated google.protobuf.Int64Value wrapped = 7;
  repeated google.protobuf.Struct structs = 8; map<string, google.protobuf.Struct> struct_map = 9; int64 total = 10;
  oneof choice { string left = 11; Line right = 12; google.protobuf.Int64Value wrapped_choice = 13; } optional string note = 14;
  google.protobuf.Value value = 15; bytes data = 16; map<int64, string> by_number = 17;
  Color color = 18; repeated Color colors = 19; map<string, Color> by_color = 20; oneof shade { Color dark = 21; }
}
enum Color { COLOR_UNSPECIFIED = 0; COLOR_RED = 1; COLOR_BLUE = 2; }
message Line { string sku = 1; }
message Old { string id = 1; }`;

describe("the message built from a handler's output", () => {
  let registry: MessageRegistry;
  let order: DescMessage;
  before(async () => {
    registry = createRegistry(await compileProtos({ 't.proto': proto }));
    order = registry.getMessage('t.Order')!;
  });
  const asJson = (value: Record<string, unknown>): unknown => {
    assert.equal(outputProblem(order, value), undefined);
    const bytes = toBinary(order, outputMessage(order, value));
    return toJson(order, fromBinary(order, bytes), { registry });
  };

  it('contains the numbers of enum values given by name', () => {
    assert.deepEqual(
      asJson({
        color: 'COLOR_RED',
        colors: ['COLOR_BLUE', 1, 'COLOR_UNSPECIFIED'],
        byColor: { a: 'COLOR_BLUE' },
        shade: { case: 'dark', value: 'COLOR_RED' },
      }),
      {
        color: 'COLOR_RED',
        colors: ['COLOR_BLUE', 'COLOR_RED', 'COLOR_UNSPECIFIED'],
        byColor: { a: 'COLOR_BLUE' },
        dark: 'COLOR_RED',
      },
    );
  });

  it('contains every field of a plain object', () => {
    assert.deepEqual(
      asJson({
        id: 'o',
        lines: [{ sku: 'a' }],
        byName: { x: { sku: 'b' } },
        at: { seconds: 1n },
        extra: { any: ['json', null] },
        maybe: 0n,
        wrapped: [{ value: 5n }],
        structs: [{ a: 1 }],
        structMap: { m: { b: true } },
        total: 12,
        choice: { case: 'right', value: { sku: 'c' } },
        note: '',
        value: { kind: { case: 'stringValue', value: 'v' } },
        data: Buffer.from([1]),
        byNumber: { '-9007199254740993': 'exact' },
      }),
      {
        id: 'o',
        lines: [{ sku: 'a' }],
        byName: { x: { sku: 'b' } },
        at: '1970-01-01T00:00:01Z',
        extra: { any: ['json', null] },
        maybe: '0',
        wrapped: ['5'],
        structs: [{ a: 1 }],
        structMap: { m: { b: true } },
        total: '12',
        right: { sku: 'c' },
        note: '',
        value: 'v',
        data: 'AQ==',
        byNumber: { '-9007199254740993': 'exact' },
      },
    );
  });

  it('accepts a wrapper message in a oneof', () => {
    assert.deepEqual(asJson({ choice: { case: 'wrappedChoice', value: { value: 7n } } }), {
      wrappedChoice: '7',
    });
  });

  it('accepts plain objects inside a spread message', () => {
    const input = fromBinary(
      order,
      toBinary(order, outputMessage(order, { id: 'o', lines: [{ sku: 'a' }] })),
    );
    const { lines } = input as unknown as { lines: object[] };
    assert.deepEqual(asJson({ ...input, lines: [...lines, { sku: 'b' }], at: { seconds: 2n } }), {
      id: 'o',
      lines: [{ sku: 'a' }, { sku: 'b' }],
      at: '1970-01-01T00:00:02Z',
    });
  });

  it('keeps the unknown fields of a returned input', () => {
    const old = registry.getMessage('t.Old')!;
    const bytes = toBinary(order, outputMessage(order, { id: 'o', note: 'kept' }));
    const message = fromBinary(old, bytes) as unknown as Record<string, unknown>;
    assert.deepEqual(toBinary(old, outputMessage(old, message)), bytes);
  });
});
