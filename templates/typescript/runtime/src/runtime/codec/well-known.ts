import type { Codec } from "./codec.ts";
import { mapList, mapObject } from "./containers.ts";
import { isObject, type JsonObject, type JsonValue, kindOf } from "./json.ts";
import * as scalar from "./scalars.ts";
import { optional } from "./optional.ts";
import { wellFormed } from "./text.ts";
import { canonicalDuration, canonicalTimestamp } from "./time.ts";
import { ValueProblem } from "./value-problem.ts";

/**
 * A message of any type: its type URL and ProtoJSON. Empty if it has no
 * message.
 */
export type AnyMessage =
  (JsonObject & { "@type": string }) | Record<string, never>;

/** `google.protobuf.Timestamp`: an RFC 3339 string. Also accepts a Date. */
export const timestamp: Codec = {
  read: canonicalTimestamp,
  write: canonicalTimestamp,
};

/** `google.protobuf.Duration`: a string of seconds such as `1.5s`. */
export const duration: Codec = {
  read: canonicalDuration,
  write: canonicalDuration,
};

/** `google.protobuf.FieldMask`: comma-separated paths of JSON names. */
export const fieldMask: Codec = { read: readMask, write: readMask };

/** `google.protobuf.Struct`: a JSON object. */
export const struct: Codec = {
  read: (json) => plainObject(json, Number),
  write: (value) => plainObject(value, Number),
};

/** `google.protobuf.Value`: any JSON value, including null. */
export const value: Codec = {
  read: (json) => plainJson(json, Number),
  write: (json) => plainJson(json, Number),
  readsNull: true,
};

/** `google.protobuf.ListValue`: an array of JSON values. */
export const listValue: Codec = {
  read: (json) => plainList(json, Number),
  write: (list) => plainList(list, Number),
};

/** `google.protobuf.NullValue`: JSON null. */
export const nullValue: Codec = {
  read: readNull,
  write: readNull,
  zero: null,
  readsNull: true,
};

/** `google.protobuf.Empty`. */
export const empty: Codec = {
  read: () => ({}),
  write: () => ({}),
};

/** `google.protobuf.Any`: kept as JSON. */
export const any: Codec = { read: readAny, write: readAny };

/* Wrapper types: their scalars with presence. */

export const boolValue: Codec = /* @__PURE__ */ optional(scalar.bool);
export const bytesValue: Codec = /* @__PURE__ */ optional(scalar.bytes);
export const doubleValue: Codec = /* @__PURE__ */ optional(scalar.double);
export const floatValue: Codec = /* @__PURE__ */ optional(scalar.float);
export const int32Value: Codec = /* @__PURE__ */ optional(scalar.int32);
export const int64Value: Codec = /* @__PURE__ */ optional(scalar.int64);
export const stringValue: Codec = /* @__PURE__ */ optional(scalar.string);
export const uInt32Value: Codec = /* @__PURE__ */ optional(scalar.uint32);
export const uInt64Value: Codec = /* @__PURE__ */ optional(scalar.uint64);

function readMask(json: unknown): string {
  if (typeof json !== "string")
    throw new ValueProblem(`expected a string, got ${kindOf(json)}`);
  if (!/^(?:[A-Za-z0-9]+(?:[.,][A-Za-z0-9]+)*)?$/.test(json))
    throw new ValueProblem(
      "expected a field mask such as user.displayName,photo",
    );
  return json;
}

function readNull(json: unknown): null {
  if (json === null || json === "NULL_VALUE" || json === 0) return null;
  throw new ValueProblem(`expected null, got ${kindOf(json)}`);
}

function readAny(json: unknown): JsonObject {
  // ProtoJSON accepts strings for every integer type.
  return plainObject(json, String);
}

/** Converts integers that a `number` cannot represent exactly. */
type Large = (integer: bigint) => JsonValue;

function plainObject(json: unknown, large: Large): JsonObject {
  return mapObject(json, (item) =>
    item === undefined ? undefined : plainJson(item, large),
  );
}

function plainList(json: unknown, large: Large): JsonValue[] {
  return mapList(json, (item) => plainJson(item, large));
}

function plainJson(json: unknown, large: Large): JsonValue {
  if (json === null || typeof json === "boolean") return json;
  if (typeof json === "string") return wellFormed(json);
  if (typeof json === "bigint") return large(json);
  if (typeof json === "number") {
    if (Number.isFinite(json)) return json;
    throw new ValueProblem(`${String(json)} is not a JSON value`);
  }
  if (Array.isArray(json)) return plainList(json, large);
  if (isObject(json)) return plainObject(json, large);
  throw new ValueProblem(`${kindOf(json)} is not a JSON value`);
}
