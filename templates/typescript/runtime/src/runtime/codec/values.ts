import type { EnumType } from "./codec.ts";
import type { JsonValue } from "./json.ts";

declare const unknownName: unique symbol;
declare const timestampText: unique symbol;

/**
 * The name of an enum value that is newer than this SDK. It comes from the
 * service; a misspelt literal does not have this type.
 */
export type UnknownName = string & { readonly [unknownName]: true };

/**
 * An enum value: a known name, a name that is newer than this SDK, or the
 * number of a value without a known name. All forms survive a round trip.
 */
export type OpenEnum<Known extends string> = Known | UnknownName | number;

/**
 * Bytes in an output: a `Uint8Array<ArrayBuffer>`, which platform APIs accept,
 * or a `Uint8Array` before TypeScript 5.7. Inputs accept any `Uint8Array`.
 */
export type ByteArray = ReturnType<Uint8ArrayConstructor["of"]>;

/** A time as an RFC 3339 string. Inputs also accept a `Date`. */
export type TimestampText = string & { readonly [timestampText]?: never };

/** Values of an enum type. */
export type EnumValue<Type extends EnumType> = OpenEnum<
  keyof Type["values"] & string
>;

/** The field that is set in a oneof, and its value. */
export interface Case<Name extends string, Value> {
  case: Name;
  value: Value;
}

/**
 * A message as call input: every property is optional, a safe integer `number`
 * is accepted for a `bigint`, a `Date` for a timestamp, and any `Uint8Array` for
 * bytes. Every message returned by a call is a valid input.
 */
export type Input<T> = T extends unknown
  ? typeof timestampText extends keyof T
    ? T | Date
    : InputValue<T>
  : never;

type InputValue<T> = T extends bigint
  ? bigint | number
  : T extends readonly (infer Item)[]
    ? readonly Input<Item>[]
    : T extends Uint8Array
      ? Uint8Array
      : T extends JsonValue | undefined
        ? T
        : T extends Case<infer Name, infer Value>
          ? IsLiteral<Name> extends true
            ? Case<Name, Input<Value>>
            : InputProperties<T>
          : InputProperties<T>;

type InputProperties<T> = string extends keyof T
  ? Readonly<Record<string, Input<T[keyof T]>>>
  : { readonly [Name in keyof T]?: Input<T[Name]> | undefined };

/** Distinguishes a oneof case from a message with fields of the same names. */
type IsLiteral<Name extends string> = string extends Name ? false : true;
