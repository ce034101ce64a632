import { create, fromJsonString, toJsonString } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import type { ReflectMessage } from '@bufbuild/protobuf/reflect';
import { fromBinary } from '@bufbuild/protobuf';
import { compileSteps } from '../../../../service/engine/adapters/compile-mapping.ts';
import type { Binding, CompiledMapping } from '../../../../service/engine/adapters/mapping.ts';
import { createCelCompiler } from '../../../../service/engine/cel/cel-compiler.ts';
import { WorkMeter } from '../../../../service/engine/work/work-meter.ts';
import { messageType } from '../../../../service/messages/message-type.ts';
import type { MessageRegistry } from '../../../../service/messages/registry.ts';
import { compiledRegistry } from '../../../support/compiled-protos.ts';

const proto = `
syntax = "proto3";
package shop.v1;
import "google/protobuf/any.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";

enum Level { LEVEL_UNSPECIFIED = 0; LOW = 1; HIGH = 2; }
enum Other { OTHER_UNSPECIFIED = 0; }

message Customer { string name = 1; Address address = 2; }
message Address { string city = 1; }
message Line { string sku = 1; int32 count = 2; }

message Order {
  string title = 1;
  int64 total = 2;
  int32 count = 3;
  double weight = 4;
  bool paid = 5;
  bytes raw = 6;
  Level level = 7;
  Customer customer = 8;
  repeated Line lines = 9;
  repeated string tags = 10;
  map<string, int64> amounts = 11;
  optional string note = 12;
  optional int32 rank = 13;
  google.protobuf.StringValue nick = 14;
  google.protobuf.Timestamp at = 15;
  google.protobuf.Struct extra = 16;
  oneof pay { string card = 17; int32 cash = 18; }
  uint64 big = 19;
  string unit_price = 20;
  repeated google.protobuf.Struct extras = 21;
  google.protobuf.Any payload = 22;
}

message Report {
  string text = 1;
  int64 number = 2;
  int32 small = 3;
  double ratio = 4;
  float single = 5;
  bool flag = 6;
  bytes data = 7;
  Level level = 8;
  Other other = 9;
  Customer customer = 10;
  repeated string words = 11;
  repeated Line lines = 12;
  map<string, int64> amounts = 13;
  map<string, string> labels = 14;
  optional string note = 15;
  optional int32 rank = 16;
  google.protobuf.StringValue nick = 17;
  google.protobuf.Timestamp at = 18;
  google.protobuf.Value any_value = 19;
  google.protobuf.Struct extra = 20;
  google.protobuf.ListValue list = 21;
  oneof pay { string card = 22; int32 cash = 23; }
  uint64 big = 24;
  repeated int32 smalls = 25;
  Outer outer = 26;
}
message Outer { Customer customer = 1; string name = 2; }
`;

/** Maps `shop.v1.Order` to `shop.v1.Report`. */
export interface Shop {
  registry: MessageRegistry;
  /** Returns the report as JSON text, or the compile or runtime error. An order is JSON text or a message. */
  map(adapter: Readonly<Record<string, string>>, order: string | ReflectMessage): string;
  /** The same for several orders, by edge id. */
  compose(bindings: readonly Binding[], orders: Readonly<Record<string, string | ReflectMessage>>): string;
  order(json: string): ReflectMessage;
}

/** Compiles bindings at once. */
export function compileBindings(...given: Parameters<typeof compileSteps>): CompiledMapping {
  const steps = compileSteps(...given);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

export async function openShop(): Promise<Shop> {
  const registry = await compiledRegistry(proto);
  const cel = createCelCompiler();
  const source = messageType(registry, 'shop.v1.Order');
  const target = messageType(registry, 'shop.v1.Report');
  const order = (json: string) => reflect(source, fromJsonString(source, json, { registry }));

  function compile(bindings: readonly Binding[], edges: readonly string[]): CompiledMapping {
    const sources = new Map(edges.map((edge) => [edge, { type: source, registry }]));
    return compileBindings(bindings, { sources, target: { type: target, registry } }, cel);
  }
  function compose(
    bindings: readonly Binding[],
    orders: Readonly<Record<string, string | ReflectMessage>>,
  ): string {
    const compiled = compile(bindings, Object.keys(orders));
    if (!compiled.ok) return compiled.problems.map(({ detail }) => detail).join('\n');
    // An edge that did not pass has no message.
    const passed = Object.entries(orders).filter(([, given]) => given !== '');
    const made = compiled.mapping.run({
      sources: new Map(
        passed.map(([edge, given]) => [edge, typeof given === 'string' ? order(given) : given]),
      ),
      meter: new WorkMeter(),
    });
    if (!made.ok) return made.detail;
    return toJsonString(target, create(target, fromBinary(target, made.value)), { registry });
  }
  return {
    registry,
    order,
    compose,
    map: (adapter, given) =>
      compose(
        Object.entries(adapter).map(([field, expression]) => ({ field, expression })),
        { in: given },
      ),
  };
}
