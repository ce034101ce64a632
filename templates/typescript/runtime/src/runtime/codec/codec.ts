import type { JsonValue, ParsedJson } from "./json.ts";

/** What a reader does with a field that the message does not declare. */
export type UnknownFields = "ignore" | "reject";

/** How one kind of value is read from ProtoJSON and written to it. */
export interface Codec {
  /** Reads a value; throws a `ValueProblem` when it does not fit. */
  readonly read: (json: ParsedJson, unknownFields?: UnknownFields) => unknown;
  /** Writes a value in canonical form; throws a `ValueProblem` when it does not fit. */
  readonly write: (value: unknown) => JsonValue;
  /** ProtoJSON of the default value. Kinds without one have presence. */
  readonly zero?: JsonValue;
  /** Whether JSON null is a value of this kind instead of absence. */
  readonly readsNull?: true;
}

/** Scalar kinds that may be the key of a map. */
export type MapKey =
  "bool" | "int32" | "int64" | "string" | "uint32" | "uint64";

/** An enum: its names and their numbers. Other values may arrive at any time. */
export interface EnumType {
  /** Full name in the proto package. */
  readonly name: string;
  /** Names in the order of declaration; the first name of a number is canonical. */
  readonly values: Readonly<Record<string, number>>;
}

/** A field of a message. */
export interface Field {
  /** Name in the proto file. Readers accept it beside the JSON name. */
  readonly name: string;
  /** Name in JSON, when it is another one. */
  readonly json?: string;
  /** Name of the property, when it is not the JSON name: no object inherits it. */
  readonly property?: string;
  readonly type: FieldType;
  /** Without a label a field holds one value and absence is the default value. */
  readonly label?: "optional" | "repeated" | "map";
  /** Kind of a map's keys. */
  readonly key?: MapKey;
  /** Property of the oneof that the field is a case of. */
  readonly oneof?: string;
}

/** Message types are named lazily, since they may contain each other. */
export type FieldType = Codec | EnumType | (() => AnyMessageType);

/** The table of a message that drives its codec. */
export interface MessageType<Message> {
  /** Full name in the proto package. */
  readonly name: string;
  readonly fields: readonly Field[];
  /** Never set: lets the compiler infer the type. */
  readonly message?: Message;
}

/** A message of `google.protobuf` whose JSON is a form of its own. */
export interface WellKnownType<Value> {
  /** Full name in the proto package. */
  readonly name: string;
  readonly codec: Codec;
  /** Never set: lets the compiler infer the type. */
  readonly message?: Value;
}

/** What a call takes or gives. */
export type RootType<Message> = MessageType<Message> | WellKnownType<Message>;

/** A message type whatever its values are. */
export type AnyMessageType = MessageType<unknown>;
