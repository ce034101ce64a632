import type { JsonValue, ParsedJson } from "./json.ts";

/** How decoding treats unknown fields. */
export type UnknownFields = "ignore" | "reject";

/** Encodes and decodes one type of value. */
export interface Codec {
  /** Decodes a value. Throws a `ValueProblem` if it is invalid. */
  readonly read: (json: ParsedJson, unknownFields?: UnknownFields) => unknown;
  /** Encodes a value canonically. Throws a `ValueProblem` if it is invalid. */
  readonly write: (value: unknown) => JsonValue;
  /** ProtoJSON of the default value. Types without one have presence. */
  readonly zero?: JsonValue;
  /** Whether JSON null is a value rather than absence. */
  readonly readsNull?: true;
}

/** Scalar types that can be map keys. */
export type MapKey =
  "bool" | "int32" | "int64" | "string" | "uint32" | "uint64";

/** An enum: its names and numbers. Newer services can send other values. */
export interface EnumType {
  /** Full name in the proto package. */
  readonly name: string;
  /** Names in declaration order. The first name of a number is canonical. */
  readonly values: Readonly<Record<string, number>>;
}

/** A field of a message. */
export interface Field {
  /** Name in the proto file, also accepted when decoding. */
  readonly name: string;
  /** JSON name, if it differs. */
  readonly json?: string;
  /** Property name, if it differs from the JSON name. Never inherited. */
  readonly property?: string;
  readonly type: FieldType;
  /**
   * Without a label, the field is singular and absence means the default value.
   */
  readonly label?: "optional" | "repeated" | "map";
  /** Type of map keys. */
  readonly key?: MapKey;
  /** Property of the oneof that contains the field. */
  readonly oneof?: string;
}

/** Message types are referenced lazily because they can be recursive. */
export type FieldType = Codec | EnumType | (() => AnyMessageType);

/** Descriptor of a message type. */
export interface MessageType<Message> {
  /** Full name in the proto package. */
  readonly name: string;
  readonly fields: readonly Field[];
  /** Never set. Used for type inference. */
  readonly message?: Message;
}

/** A message of `google.protobuf` with a special JSON form. */
export interface WellKnownType<Value> {
  /** Full name in the proto package. */
  readonly name: string;
  readonly codec: Codec;
  /** Never set. Used for type inference. */
  readonly message?: Value;
}

/** Type of the input or output of a call. */
export type RootType<Message> = MessageType<Message> | WellKnownType<Message>;

/** Any message type. */
export type AnyMessageType = MessageType<unknown>;
