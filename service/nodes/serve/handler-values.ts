/** The values in the types that `svc node types` writes: the values of protobuf-es, which `svc node serve` passes to handlers. */
declare const enumNames: unique symbol;

/** An enum value as its number. In what handlers return, it may also be the name of a value. */
export type EnumValue<Type extends { values: Readonly<Record<string, number>> }> = number & {
  readonly [enumNames]?: keyof Type['values'];
};

/** The field that is set in a oneof, and its value. */
export interface Case<Name extends string, Value> {
  case: Name;
  value: Value;
}

/** A oneof in which no field is set. */
export interface NoCase {
  case: undefined;
  value?: undefined;
}

/** `google.protobuf.Timestamp`: the time since 1970-01-01T00:00:00Z. */
export interface Timestamp {
  seconds: bigint;
  nanos: number;
}

/** `google.protobuf.Duration` */
export interface Duration {
  seconds: bigint;
  nanos: number;
}

/** `google.protobuf.Any`: a serialized message and the URL of its type. */
export interface Any {
  typeUrl: string;
  value: Uint8Array;
}

/** `google.protobuf.FieldMask` */
export interface FieldMask {
  paths: string[];
}

/**
 * A wrapper such as `google.protobuf.Int64Value` in a list, a map or a oneof. A singular field outside a
 * oneof holds the plain value instead.
 */
export interface Wrapped<T> {
  value: T;
}

/** `google.protobuf.Struct` in a field. */
export interface JsonObject {
  [name: string]: JsonValue;
}

type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** `google.protobuf.Struct` as the input or output of a node. */
export interface Struct {
  fields: Record<string, Value>;
}

/** `google.protobuf.ListValue` */
export interface ListValue {
  values: Value[];
}

/** `google.protobuf.Value` */
export interface Value {
  kind:
    | Case<'nullValue', number>
    | Case<'numberValue', number>
    | Case<'stringValue', string>
    | Case<'boolValue', boolean>
    | Case<'structValue', Struct>
    | Case<'listValue', ListValue>
    | NoCase;
}

/**
 * A message as handlers may return it: all fields are optional, an enum value may be its name, and a safe
 * integer `number` is accepted for a `bigint`. Every message that a handler receives is assignable to it.
 */
export type Output<T> = T extends unknown
  ? typeof enumNames extends keyof T
    ? number | NonNullable<T[typeof enumNames]>
    : OutputValue<T>
  : never;

type OutputValue<T> = T extends bigint
  ? bigint | number
  : T extends readonly (infer Item)[]
    ? readonly Output<Item>[]
    : T extends string | number | boolean | Uint8Array | null | undefined
      ? T
      : JsonObject extends T
        ? T
        : T extends Case<infer Name, infer Value>
          ? IsLiteral<Name> extends true
            ? Case<Name, Output<Value>>
            : OutputFields<T>
          : OutputFields<T>;

type OutputFields<T> = string extends keyof T
  ? Readonly<Record<string, Output<T[keyof T]>>>
  : { readonly [Name in keyof T]?: Output<T[Name]> | undefined };

/** True for a oneof case, false for a message with such fields. */
type IsLiteral<Name extends string> = string extends Name ? false : true;
