import { fromBase64, isBytes, toBase64 } from "./base64.ts";
import type { Codec } from "./codec.ts";
import { kindOf } from "./json.ts";
import { wellFormed } from "./text.ts";
import { ValueProblem } from "./value-problem.ts";

/** A boolean. */
export const bool: Codec = {
  read: readBoolean,
  write: readBoolean,
  zero: false,
};

/** A string. */
export const string: Codec = { read: readText, write: readText, zero: "" };

/** Bytes, encoded as base64 in JSON. */
export const bytes: Codec = {
  read: (json) => fromBase64(readText(json)),
  write(value) {
    if (isBytes(value)) return toBase64(value);
    throw new ValueProblem(`expected a Uint8Array, got ${kindOf(value)}`);
  },
  zero: "",
};

/** A 64-bit float. */
export const double: Codec = {
  read: (json) => readFloat(finite(json)),
  write: writeFloat,
  zero: 0,
};

/** A 32-bit float. */
export const float: Codec = {
  read: (json) => readSingle(finite(json)),
  write: (value) => writeFloat(readSingle(value)),
  zero: 0,
};

/** A signed 32-bit integer: a `number`. */
export const int32: Codec = /* @__PURE__ */ integer32(-0x80000000, 0x7fffffff);

/** An unsigned 32-bit integer: a `number`. */
export const uint32: Codec = /* @__PURE__ */ integer32(0, 0xffffffff);

/** A signed 64-bit integer: a `bigint`, encoded as a string in JSON. */
export const int64: Codec = /* @__PURE__ */ integer64((value) =>
  BigInt.asIntN(64, value),
);

/** An unsigned 64-bit integer: a `bigint`, encoded as a string in JSON. */
export const uint64: Codec = /* @__PURE__ */ integer64((value) =>
  BigInt.asUintN(64, value),
);

function integer32(least: number, greatest: number): Codec {
  const read = (json: unknown): number => {
    const value = readNumber(json);
    if (!Number.isInteger(value)) throw new ValueProblem("not an integer");
    if (value < least || value > greatest) throw outOfRange(32);
    return value + 0;
  };
  return { read, write: read, zero: 0 };
}

/** `wrap` changes integers that are out of range. */
function integer64(wrap: (value: bigint) => bigint): Codec {
  const read = (json: unknown): bigint => {
    const value = readInteger(json);
    if (wrap(value) !== value) throw outOfRange(64);
    return value;
  };
  return { read, write: (value) => read(value).toString(), zero: "0" };
}

function readInteger(json: unknown): bigint {
  if (typeof json === "bigint") return json;
  if (typeof json === "string" && /^-?(?:0|[1-9]\d*)$/.test(json))
    return BigInt(json);
  const value = readNumber(json);
  if (!Number.isInteger(value)) throw new ValueProblem("not an integer");
  if (!Number.isSafeInteger(value))
    throw new ValueProblem("the number is too large to be exact; use a bigint");
  return BigInt(value);
}

/** Reads JSON numbers and numeric strings. ProtoJSON allows both everywhere. */
function readNumber(json: unknown): number {
  if (typeof json === "number") return json;
  if (typeof json === "bigint") return Number(json);
  if (typeof json !== "string")
    throw new ValueProblem(`expected a number, got ${kindOf(json)}`);
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(json))
    throw new ValueProblem("not a number");
  return Number(json);
}

function readFloat(json: unknown): number {
  if (json === "NaN") return NaN;
  if (json === "Infinity") return Infinity;
  if (json === "-Infinity") return -Infinity;
  const value = readNumber(json);
  if (typeof json === "string" && !Number.isFinite(value)) throw outOfRange(64);
  return value;
}

/** Rejects infinity, which JSON numbers reach only by overflow. */
function finite(json: unknown): unknown {
  if (typeof json === "number" && !Number.isFinite(json)) throw outOfRange(64);
  return json;
}

function writeFloat(value: unknown): number | string {
  const number = readFloat(value);
  // JSON.stringify writes null for the first three and drops the sign of -0.
  if (!Number.isFinite(number)) return String(number);
  return Object.is(number, -0) ? "-0" : number;
}

/** Values keep their 64-bit precision, so 0.1 stays 0.1. */
function readSingle(json: unknown): number {
  const value = readFloat(json);
  // Other languages print the largest float with fewer digits.
  if (Number.isFinite(value) && !Number.isFinite(Math.fround(value)))
    throw outOfRange(32);
  return value;
}

function readBoolean(value: unknown): boolean {
  if (typeof value === "boolean") return value;
  throw new ValueProblem(`expected a boolean, got ${kindOf(value)}`);
}

function readText(value: unknown): string {
  if (typeof value !== "string")
    throw new ValueProblem(`expected a string, got ${kindOf(value)}`);
  return wellFormed(value);
}

function outOfRange(bits: number): ValueProblem {
  return new ValueProblem(`out of range for ${String(bits)} bits`);
}
