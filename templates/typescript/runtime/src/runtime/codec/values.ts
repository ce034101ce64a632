import type { EnumType } from "./codec.ts";
import type { JsonValue } from "./json.ts";

/**
 * An enum value: a known name, a name that is newer than this SDK, or the
 * number of a value without a known name. All of them survive a round trip.
 */
export type OpenEnum<Known extends string> = Known | (string & {}) | number;

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
 * A message as call input: every property is optional, and a safe integer
 * `number` is accepted for a `bigint`. Every message returned by a call fits.
 */
export type Input<T> = T extends bigint
  ? bigint | number
  : T extends readonly (infer Item)[]
    ? readonly Input<Item>[]
    : T extends JsonValue | Uint8Array | undefined
      ? T
      : T extends Case<infer Name, infer Value>
        ? IsLiteral<Name> extends true
          ? Case<Name, Input<Value>>
          : InputProperties<T>
        : InputProperties<T>;

type InputProperties<T> = string extends keyof T
  ? Readonly<Record<string, Input<T[keyof T]>>>
  : { readonly [Name in keyof T]?: Input<T[Name]> | undefined };

/** Reports whether a value is a oneof case, not a message with such fields. */
type IsLiteral<Name extends string> = string extends Name ? false : true;
