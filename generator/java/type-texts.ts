import type {
  FieldModel,
  FieldType,
  MapKeyScalar,
  Scalar,
  WellKnown,
} from '../../specs/messages/message-model.ts';
import { mayBeAbsent } from '../model/presence.ts';
import type { SdkModel } from '../model/sdk-model.ts';
import { TypeIndex } from '../model/type-index.ts';
import { planned } from '../names/planned.ts';
import type { JavaNames } from './plan-names.ts';

/** How a type is written in Java. */
export interface TypeText {
  /** Where there is always a value: `long`, `Word`. */
  type: string;
  /** Where there may be none, and between angle brackets: `Long`. */
  boxed: string;
  /** Codec of the runtime: `Codecs.INT64`, `Word.CODEC`. */
  codec: string;
  /** What a field without presence holds at first; undefined where Java says the same. */
  initial: string | undefined;
}

const scalars: Readonly<Record<Scalar, TypeText>> = {
  double: primitive('double', 'Double', 'DOUBLE'),
  float: primitive('float', 'Float', 'FLOAT'),
  int32: primitive('int', 'Integer', 'INT32'),
  int64: primitive('long', 'Long', 'INT64'),
  uint32: primitive('long', 'Long', 'UINT32'),
  uint64: reference('BigInteger', 'UINT64', 'BigInteger.ZERO'),
  bool: primitive('boolean', 'Boolean', 'BOOL'),
  string: reference('String', 'STRING', '""'),
  bytes: reference('Bytes', 'BYTES', 'Bytes.EMPTY'),
};

const wellKnowns: Readonly<Record<WellKnown, TypeText>> = {
  Any: reference('JsonObject', 'ANY'),
  BoolValue: scalars.bool,
  BytesValue: scalars.bytes,
  DoubleValue: scalars.double,
  Duration: reference('Duration', 'DURATION'),
  Empty: reference('Empty', 'EMPTY'),
  FieldMask: reference('FieldMask', 'FIELD_MASK'),
  FloatValue: scalars.float,
  Int32Value: scalars.int32,
  Int64Value: scalars.int64,
  ListValue: reference('JsonArray', 'LIST'),
  NullValue: reference('JsonNull', 'NULL'),
  StringValue: scalars.string,
  Struct: reference('JsonObject', 'STRUCT'),
  Timestamp: reference('Instant', 'TIMESTAMP'),
  UInt32Value: scalars.uint32,
  UInt64Value: scalars.uint64,
  Value: reference('JsonValue', 'VALUE'),
};

function primitive(type: string, boxed: string, codec: string): TypeText {
  return { type, boxed, codec: `Codecs.${codec}`, initial: undefined };
}

function reference(type: string, codec: string, initial?: string): TypeText {
  return { type, boxed: type, codec: `Codecs.${codec}`, initial };
}

const mapKeys: Readonly<Record<MapKeyScalar, { type: string; codec: string }>> = {
  bool: { type: 'Boolean', codec: 'MapKey.BOOL' },
  int32: { type: 'Integer', codec: 'MapKey.INT32' },
  int64: { type: 'Long', codec: 'MapKey.INT64' },
  string: { type: 'String', codec: 'MapKey.STRING' },
  uint32: { type: 'Long', codec: 'MapKey.UINT32' },
  uint64: { type: 'BigInteger', codec: 'MapKey.UINT64' },
};

/** Key type of a map field and its codec. */
export function mapKeyOf(field: FieldModel): { type: string; codec: string } {
  return mapKeys[field.mapKey ?? 'string'];
}

/** Writes the types of one SDK. */
export class TypeTexts {
  readonly #names: JavaNames;
  /** The model's own types. */
  readonly types: TypeIndex;
  /** Names of the classes of all messages and enums. */
  readonly typeNames: ReadonlySet<string>;

  constructor(model: SdkModel, names: JavaNames) {
    this.#names = names;
    this.types = new TypeIndex(model.types);
    this.typeNames = new Set(names.types.values());
  }

  /** The type of an element, map value or single value. */
  of(type: FieldType): TypeText {
    switch (type.kind) {
      case 'scalar':
        return scalars[type.scalar];
      case 'wellKnown':
        return wellKnowns[type.wellKnown];
      case 'message':
      case 'enum': {
        const name = this.typeName(type.fullName);
        const initial = type.kind === 'enum' ? `${name}.INITIAL` : undefined;
        return { type: name, boxed: name, codec: `${name}.CODEC`, initial };
      }
    }
  }

  /** The type of an input or output: a message of the model, or a well-known one. */
  ofRoot(fullName: string): TypeText {
    return this.of(this.types.rootType(fullName));
  }

  /** An input or output as a program reads it: `Word.fromJson(text)`, `Codecs.STRUCT.fromJson(text)`. */
  rootFromJson(fullName: string, text: string): string {
    const { type, codec } = this.ofRoot(fullName);
    return `${this.types.isMessage(fullName) ? type : codec}.fromJson(${text})`;
  }

  /** An input or output as a program prints it: `word.toJson()`, `Codecs.STRUCT.toJson(value)`. */
  rootToJson(fullName: string, value: string): string {
    return this.types.isMessage(fullName)
      ? `${value}.toJson()`
      : `${this.ofRoot(fullName).codec}.toJson(${value})`;
  }

  /** The type of a component of a record. */
  ofField(field: FieldModel): string {
    const { type, boxed } = this.of(field.type);
    if (field.cardinality === 'repeated') return `List<${boxed}>`;
    if (field.cardinality === 'map') return `Map<${mapKeyOf(field).type}, ${boxed}>`;
    return mayBeAbsent(field) ? `Optional<${boxed}>` : type;
  }

  /** The type that the setter of a builder takes: that of the value, whether the field has presence or not. */
  ofSetter(field: FieldModel): string {
    return mayBeAbsent(field) ? this.of(field.type).type : this.ofField(field);
  }

  /** What a field of a builder holds at first; undefined where Java says the same. */
  initialOf(field: FieldModel): string | undefined {
    if (field.cardinality === 'repeated') return 'List.of()';
    if (field.cardinality === 'map') return 'Map.of()';
    return mayBeAbsent(field) ? 'Optional.empty()' : this.of(field.type).initial;
  }

  /** Whether the type of a field has no null. */
  isPrimitive(field: FieldModel): boolean {
    const { type, boxed } = this.of(field.type);
    return type !== boxed && field.cardinality !== 'repeated' && field.cardinality !== 'map';
  }

  /** Name of the class of a message or enum. */
  typeName(fullName: string): string {
    return planned(this.#names.types, fullName);
  }

  /** Name of a component, or of the method of a oneof. */
  fieldName(message: string, field: string): string {
    return planned(planned(this.#names.fields, message), field);
  }

  /** Constant of an enum value. */
  constant(enumName: string, name: string): string {
    return planned(planned(this.#names.values, enumName), name);
  }
}
