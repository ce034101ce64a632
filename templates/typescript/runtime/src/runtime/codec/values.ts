import type { EnumType } from "./codec.ts";
import type { JsonValue } from "./json.ts";

/**
 * An enum value: a known name, a name that is younger than this SDK, or the
 * number of a value that has no known name. All of them survive a round trip.
 */
export type OpenEnum<Known extends string> = Known | (string & {}) | number;

/** Values of an enum, by its table. */
export type EnumValue<Type extends EnumType> = OpenEnum<
  keyof Type["values"] & string
>;

/** The case of a oneof that is set, and its value. */
export interface Case<Name extends string, Value> {
  case: Name;
  value: Value;
}

/**
 * A message as a call takes it: every property may be left out, and a `number`
 * without loss stands for a `bigint`. Every message that a call gives fits.
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

/** Tells a case from a message that has fields called case and value. */
type IsLiteral<Name extends string> = string extends Name ? false : true;
