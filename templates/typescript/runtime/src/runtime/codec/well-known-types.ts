import type { WellKnownType } from "./codec.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { ByteArray, TimestampText } from "./values.ts";
import * as wellKnown from "./well-known.ts";

/*
 * Types of `google.protobuf` that can be the input or output of a call.
 */

export const anyType: WellKnownType<wellKnown.AnyMessage> = {
  name: "google.protobuf.Any",
  codec: wellKnown.any,
};

export const boolValueType: WellKnownType<boolean> = {
  name: "google.protobuf.BoolValue",
  codec: wellKnown.boolValue,
};

export const bytesValueType: WellKnownType<ByteArray> = {
  name: "google.protobuf.BytesValue",
  codec: wellKnown.bytesValue,
};

export const doubleValueType: WellKnownType<number> = {
  name: "google.protobuf.DoubleValue",
  codec: wellKnown.doubleValue,
};

export const durationType: WellKnownType<string> = {
  name: "google.protobuf.Duration",
  codec: wellKnown.duration,
};

export const emptyType: WellKnownType<Record<string, never>> = {
  name: "google.protobuf.Empty",
  codec: wellKnown.empty,
};

export const fieldMaskType: WellKnownType<string> = {
  name: "google.protobuf.FieldMask",
  codec: wellKnown.fieldMask,
};

export const floatValueType: WellKnownType<number> = {
  name: "google.protobuf.FloatValue",
  codec: wellKnown.floatValue,
};

export const int32ValueType: WellKnownType<number> = {
  name: "google.protobuf.Int32Value",
  codec: wellKnown.int32Value,
};

export const int64ValueType: WellKnownType<bigint> = {
  name: "google.protobuf.Int64Value",
  codec: wellKnown.int64Value,
};

export const listValueType: WellKnownType<JsonValue[]> = {
  name: "google.protobuf.ListValue",
  codec: wellKnown.listValue,
};

export const stringValueType: WellKnownType<string> = {
  name: "google.protobuf.StringValue",
  codec: wellKnown.stringValue,
};

export const structType: WellKnownType<JsonObject> = {
  name: "google.protobuf.Struct",
  codec: wellKnown.struct,
};

export const timestampType: WellKnownType<TimestampText> = {
  name: "google.protobuf.Timestamp",
  codec: wellKnown.timestamp,
};

export const uInt32ValueType: WellKnownType<number> = {
  name: "google.protobuf.UInt32Value",
  codec: wellKnown.uInt32Value,
};

export const uInt64ValueType: WellKnownType<bigint> = {
  name: "google.protobuf.UInt64Value",
  codec: wellKnown.uInt64Value,
};

export const valueType: WellKnownType<JsonValue> = {
  name: "google.protobuf.Value",
  codec: wellKnown.value,
};
