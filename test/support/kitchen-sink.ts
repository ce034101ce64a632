/** A package with every kind of field that JSON has, all in the message `test.v1.Sink`. */
export const kitchenSink = `
syntax = "proto3";
package test.v1;
import "google/protobuf/any.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/empty.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";

enum Color { COLOR_UNSPECIFIED = 0; RED = 1; GREEN = 2; NEGATIVE = -1; }

message Sink {
  double a_double = 1;
  float a_float = 2;
  int32 an_int32 = 3;
  int64 an_int64 = 4;
  uint32 a_uint32 = 5;
  uint64 a_uint64 = 6;
  sint32 a_sint32 = 7;
  sint64 a_sint64 = 8;
  fixed32 a_fixed32 = 9;
  fixed64 a_fixed64 = 10;
  sfixed32 a_sfixed32 = 11;
  sfixed64 a_sfixed64 = 12;
  bool a_bool = 13;
  string a_string = 14;
  bytes a_bytes = 15;
  Color color = 16;
  Sink child = 17;

  repeated int64 numbers = 20;
  repeated string texts = 21;
  repeated Color colors = 22;
  repeated Sink children = 23;
  repeated double doubles = 24;
  repeated bytes blobs = 25;

  map<string, Sink> by_string = 30;
  map<int32, string> by_int32 = 31;
  map<int64, string> by_int64 = 32;
  map<uint32, string> by_uint32 = 33;
  map<uint64, int64> by_uint64 = 34;
  map<sint32, bytes> by_sint32 = 35;
  map<sint64, double> by_sint64 = 36;
  map<fixed32, bool> by_fixed32 = 37;
  map<fixed64, string> by_fixed64 = 38;
  map<sfixed32, string> by_sfixed32 = 39;
  map<sfixed64, string> by_sfixed64 = 40;
  map<bool, Color> by_bool = 41;
  map<string, google.protobuf.Value> values = 42;

  oneof pick {
    int32 pick_number = 50;
    string pick_text = 51;
    Color pick_color = 52;
    Sink pick_child = 53;
  }

  optional int32 maybe_int32 = 60;
  optional string maybe_string = 61;
  optional bool maybe_bool = 62;
  optional Color maybe_color = 63;
  optional Sink maybe_child = 64;
  optional bytes maybe_bytes = 65;

  google.protobuf.Any any = 70;
  google.protobuf.Timestamp timestamp = 71;
  google.protobuf.Duration duration = 72;
  google.protobuf.Empty empty = 73;
  google.protobuf.FieldMask mask = 74;
  google.protobuf.Struct struct = 75;
  google.protobuf.Value value = 76;
  google.protobuf.ListValue list = 77;
  google.protobuf.NullValue null = 78;
  google.protobuf.BoolValue bool_value = 80;
  google.protobuf.BytesValue bytes_value = 81;
  google.protobuf.DoubleValue double_value = 82;
  google.protobuf.FloatValue float_value = 83;
  google.protobuf.Int32Value int32_value = 84;
  google.protobuf.Int64Value int64_value = 85;
  google.protobuf.StringValue string_value = 86;
  google.protobuf.UInt32Value uint32_value = 87;
  google.protobuf.UInt64Value uint64_value = 88;

  string constructor = 90;
  string proto = 91 [json_name = "__proto__"];
  string toString = 92;
}
`;
