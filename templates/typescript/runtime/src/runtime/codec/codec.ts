import type { JsonValue, ParsedJson, ParsedObject } from "./json.ts";

/** Checks an object before it is decoded. Throws a `ValueProblem`. */
export type FieldCheck = (
  object: ParsedObject,
  fields: readonly { readonly name: string; readonly json: string }[],
) => void;

/** Encodes and decodes one type of value. */
export interface Codec {
  /** Decodes a value. Throws a `ValueProblem` if it is invalid. */
  readonly read: (json: ParsedJson, check?: FieldCheck) => unknown;
  /** Encodes a value canonically. Throws a `ValueProblem` if it is invalid. */
  readonly write: (value: unknown) => JsonValue;
  /** ProtoJSON of the default value. Types without one have presence. */
  readonly zero?: JsonValue;
  /** Whether JSON null is a value rather than absence. */
  readonly readsNull?: true;
}

/** Returns the canonical form of a map key. Throws a `ValueProblem`. */
export type MapKey = (key: string) => string;

/** Names and numbers of an enum. Newer services can send other values. */
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
  readonly type: Codec;
  /** The oneof that contains the field. */
  readonly oneof?: Oneof;
}

/** A oneof of a message. */
export interface Oneof {
  /** Property of the message. Its value is the selected case. */
  readonly property: string;
  /** Returns the codec of a case. `fields` are the fields of the message. */
  readonly caseOf: (field: Field, fields: readonly Field[]) => FieldType;
}

/** Like `Codec`. `write` returns undefined if there is nothing to write. */
export interface FieldType extends Omit<Codec, "write"> {
  readonly write: (value: unknown) => JsonValue | undefined;
}

/** Descriptor of a message type. */
export interface MessageType<Message> {
  /** Full name in the proto package. */
  readonly name: string;
  /** A function, because types can be recursive. */
  readonly fields: () => readonly Field[];
  /** Never set. Used for type inference. */
  readonly message?: Message;
}

/** A `google.protobuf` message with a special JSON form. */
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
