import assert from 'node:assert/strict';
import { bytesFromJson } from '../../../../service/messages/json/message-from-json.ts';
import { jsonFromBytes } from '../../../../service/messages/json/message-to-json.ts';
import type { MessageRegistry } from '../../../../service/messages/registry.ts';
import { compiledRegistry } from '../../../support/compiled-protos.ts';

const floats = `
syntax = "proto3";
package test.v1;
import "google/protobuf/any.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/wrappers.proto";

message Floats {
  float one = 1;
  repeated float many = 2;
  map<string, float> named = 3;
  optional float maybe = 4;
  oneof pick { float picked = 5; double wide = 6; }
  google.protobuf.FloatValue wrapped = 7;
  repeated google.protobuf.FloatValue wraps = 8;
  Floats inner = 9;
  map<int32, Floats> inners = 10;
  google.protobuf.Any any = 11;
  double exact = 12;
  google.protobuf.Value value = 13;
  google.protobuf.DoubleValue wrapped_double = 14;
  string text = 15;
}
`;

describe('floats in ProtoJSON', () => {
  let registry: MessageRegistry;

  before(async () => {
    registry = await compiledRegistry(floats);
  });

  const unchanged = [
    '{"one":0.1}',
    '{"many":[0.1,-0.2,1e-7,3.4028235e+38,0]}',
    '{"named":{"a":0.1,"__proto__":0.7}}',
    '{"maybe":0.1}',
    '{"picked":0.1}',
    '{"wrapped":0.1,"wraps":[0.1,0.2]}',
    '{"inner":{"inner":{"one":0.1}},"inners":{"7":{"many":[0.3]}}}',
    '{"any":{"one":0.1,"inner":{"one":0.2},"@type":"type.googleapis.com/test.v1.Floats"}}',
    '{"any":{"value":0.1,"@type":"type.googleapis.com/google.protobuf.FloatValue"}}',
    '{"one":-0,"many":["NaN","Infinity","-Infinity",-0]}',
    // Doubles keep all their digits, also if their value is a float.
    '{"exact":0.10000000149011612,"value":{"a":[0.10000000149011612]},"wrappedDouble":0.10000000149011612}',
    '{"wide":0.10000000149011612,"text":"0.10000000149011612"}',
    '{"any":{"value":0.10000000149011612,"@type":"type.googleapis.com/google.protobuf.DoubleValue"}}',
  ];
  for (const json of unchanged)
    it(`round-trip unchanged: ${json}`, () => {
      assert.equal(there('test.v1.Floats', json), json);
    });

  it('have the fewest digits that identify them', () => {
    assert.equal(there('test.v1.Floats', '{"one":0.30000001192092896}'), '{"one":0.3}');
    assert.equal(there('test.v1.Floats', '{"one":0.123456789}'), '{"one":0.12345679}');
  });

  it('are short if the message itself is a float wrapper', () => {
    assert.equal(there('google.protobuf.FloatValue', '0.1'), '0.1');
  });

  /** Converts to bytes and back. */
  function there(typeName: string, json: string): string {
    const bytes = bytesFromJson(registry, typeName, json);
    assert.ok(bytes.ok, bytes.ok ? '' : bytes.error.message);
    const text = jsonFromBytes(registry, typeName, bytes.value);
    assert.ok(text.ok, text.ok ? '' : text.error.message);
    return text.value;
  }
});
