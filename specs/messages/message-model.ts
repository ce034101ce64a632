/**
 * Message types as plain, ordered, language-neutral data: what JSON Schema, OpenAPI and the SDK generator read instead of
 * descriptors. Everything here survives `structuredClone` and `JSON.stringify`.
 *
 * @example
 * // message Word { string text = 1; optional int64 count = 2; }
 * { fullName: 'acme.text.v1.Word', name: 'Word', comment: '', deprecated: false, oneofs: [],
 *   fields: [
 *     { name: 'text', jsonName: 'text', number: 1, cardinality: 'single', type: { kind: 'scalar', scalar: 'string' }, ... },
 *     { name: 'count', jsonName: 'count', number: 2, cardinality: 'optional', type: { kind: 'scalar', scalar: 'int64' }, ... },
 *   ] }
 */
export interface MessageModel {
  /** Full name without a leading dot, unique in its model. */
  fullName: string;
  /** Name within the proto package; a nested message keeps its parents: `Outer.Inner`. */
  name: string;
  /**
   * Proto comment, the leading one or else the trailing one: untrusted text, lines separated by `\n`, without their common
   * indentation; may be empty.
   */
  comment: string;
  deprecated: boolean;
  /** In the order of declaration. */
  fields: FieldModel[];
  /** Without the synthetic oneofs of `optional`, which `cardinality` expresses. */
  oneofs: OneofModel[];
}

/** A `oneof` of a message: at most one of its fields is set. */
export interface OneofModel {
  name: string;
  comment: string;
  /** `name`s of the member fields, in the order of declaration. */
  fields: string[];
}

/**
 * Number of values of a field. A `single` scalar or enum has no presence (its default value and absence are equal), a `single`
 * message has presence; `optional` has explicit presence.
 */
export type Cardinality = 'single' | 'optional' | 'repeated' | 'map';

/** A field of a message. */
export interface FieldModel {
  /** Proto name: `unit_price`. */
  name: string;
  /** ProtoJSON name: `unitPrice`. Readers accept both. */
  jsonName: string;
  number: number;
  comment: string;
  deprecated: boolean;
  cardinality: Cardinality;
  /** Element type when repeated, value type when a map. */
  type: FieldType;
  /** Key type of a map. */
  mapKey?: MapKeyScalar;
  /** Name of the real oneof that the field belongs to; such a field has `cardinality: 'single'` and always has presence. */
  oneof?: string;
}

/** The type of a single value. Full names refer to types of the same model. */
export type FieldType =
  | { kind: 'scalar'; scalar: Scalar }
  | { kind: 'enum'; fullName: string }
  | { kind: 'message'; fullName: string }
  | { kind: 'wellKnown'; wellKnown: WellKnown };

/** Scalar kinds by what the ProtoJSON value is; `sint`, `fixed` and `sfixed` encodings are folded into their integer. */
export type Scalar =
  'double' | 'float' | 'int32' | 'int64' | 'uint32' | 'uint64' | 'bool' | 'string' | 'bytes';

/** The scalars that protobuf allows as map keys. In ProtoJSON every key is a string. */
export type MapKeyScalar = Exclude<Scalar, 'double' | 'float' | 'bytes'>;

/** Types of `google.protobuf` that have their own ProtoJSON form. Other types of that package are ordinary messages. */
export type WellKnown =
  | 'Any'
  | 'BoolValue'
  | 'BytesValue'
  | 'DoubleValue'
  | 'Duration'
  | 'Empty'
  | 'FieldMask'
  | 'FloatValue'
  | 'Int32Value'
  | 'Int64Value'
  | 'ListValue'
  | 'NullValue'
  | 'StringValue'
  | 'Struct'
  | 'Timestamp'
  | 'UInt32Value'
  | 'UInt64Value'
  | 'Value';

/** An enum. Open: a value that is not declared here may arrive and survives a round trip as its number. */
export interface EnumModel {
  fullName: string;
  /** Name within the proto package, with parents when nested. */
  name: string;
  comment: string;
  deprecated: boolean;
  /** In the order of declaration. Aliases (`allow_alias`) repeat a number; the first of a number is its canonical name. */
  values: EnumValueModel[];
}

/** A value of an enum. */
export interface EnumValueModel {
  name: string;
  /** May be negative. */
  number: number;
  /** Untrusted text like the comment of a message, possibly empty. */
  comment: string;
  deprecated: boolean;
}

/** Every type that a set of root messages reaches, each once, sorted by full name in code unit order. */
export interface TypeModel {
  messages: MessageModel[];
  enums: EnumModel[];
}

/** A type that a package declares. */
export type NamedType = MessageModel | EnumModel;
