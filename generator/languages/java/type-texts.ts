import type { FieldModel, MapKeyScalar, MessageModel } from '../../../specs/messages/message-model.ts';
import { mayBeAbsent } from '../../model/presence.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import type { PartNames } from '../../names/plan-parts.ts';
import { planned } from '../../names/planned.ts';
import { LanguageTypes } from '../../type-texts/language-types.ts';
import type { TypeTable } from '../../type-texts/type-table.ts';
import { type JavaNames, oneofId } from './plan-names.ts';

/** How a type is written in Java. */
export interface TypeText {
  /** Type of a required value: `long`, `Word`. */
  type: string;
  /** Type of an optional value and of type arguments: `Long`. */
  boxed: string;
  /** Codec of the runtime: `Codecs.INT64`, `Word.CODEC`. */
  codec: string;
  /** Initial value of a field without presence; undefined if it is Java's default. */
  initial: string | undefined;
}

const scalars: TypeTable<TypeText>['scalars'] = {
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

const wellKnowns: TypeTable<TypeText>['wellKnowns'] = {
  Any: reference('JsonObject', 'ANY'),
  Duration: reference('Duration', 'DURATION'),
  Empty: reference('Empty', 'EMPTY'),
  FieldMask: reference('FieldMask', 'FIELD_MASK'),
  ListValue: reference('JsonArray', 'LIST'),
  NullValue: reference('JsonNull', 'NULL'),
  Struct: reference('JsonObject', 'STRUCT'),
  Timestamp: reference('Instant', 'TIMESTAMP'),
  Value: reference('JsonValue', 'VALUE'),
};

function primitive(type: string, boxed: string, codec: string): TypeText {
  return { type, boxed, codec: `Codecs.${codec}`, initial: undefined };
}

function reference(type: string, codec: string, initial?: string): TypeText {
  return { type, boxed: type, codec: `Codecs.${codec}`, initial };
}

/** Returns the codec of a well-known type for programs, which cannot access the runtime's codecs. */
function publicCodec(codec: string): string {
  return codec.replace('Codecs.', 'ProtoJson.');
}

const mapKeys: Readonly<Record<MapKeyScalar, { type: string; codec: string }>> = {
  bool: { type: 'Boolean', codec: 'MapKey.BOOL' },
  int32: { type: 'Integer', codec: 'MapKey.INT32' },
  int64: { type: 'Long', codec: 'MapKey.INT64' },
  string: { type: 'String', codec: 'MapKey.STRING' },
  uint32: { type: 'Long', codec: 'MapKey.UINT32' },
  uint64: { type: 'BigInteger', codec: 'MapKey.UINT64' },
};

/** Returns the key type of a map field and its codec. */
export function mapKeyOf(field: FieldModel): { type: string; codec: string } {
  return mapKeys[field.mapKey ?? 'string'];
}

/** Writes the types of one SDK. */
export class TypeTexts extends LanguageTypes<TypeText> {
  /** Names of the classes of all messages, enums and oneofs. */
  readonly typeNames: ReadonlySet<string>;

  readonly #cases: PartNames;

  constructor(model: SdkModel, names: JavaNames) {
    super(model, names, { scalars, wellKnowns });
    this.typeNames = new Set(names.types.values());
    this.#cases = names.cases;
  }

  /** Returns the name of the class of a oneof. */
  oneofName(message: MessageModel, oneof: string): string {
    return this.typeName(oneofId(message, oneof));
  }

  /** Returns the name of the class of a oneof case, within the oneof's class. */
  caseName(message: MessageModel, oneof: string, field: string): string {
    return planned(planned(this.#cases, oneofId(message, oneof)), field);
  }

  protected override messageText(name: string): TypeText {
    return { type: name, boxed: name, codec: `${name}.CODEC`, initial: undefined };
  }

  protected override enumText(name: string): TypeText {
    return { type: name, boxed: name, codec: `${name}.CODEC`, initial: `${name}.INITIAL` };
  }

  /** Returns the type of an input or output: a message of the model, or a well-known one. */
  ofRoot(fullName: string): TypeText {
    return this.of(this.types.rootType(fullName));
  }

  /**
   * Returns the reader of an input or output from JSON: `Word` for `Word.fromJson(text)`, `ProtoJson.STRUCT` for a
   * `Struct`.
   */
  rootReader(fullName: string): string {
    const { type, codec } = this.ofRoot(fullName);
    return this.types.isMessage(fullName) ? type : publicCodec(codec);
  }

  /** Returns an input or output as a program prints it: `word.toJson()`, `ProtoJson.STRUCT.toJson(value)`. */
  rootToJson(fullName: string, value: string): string {
    return this.types.isMessage(fullName)
      ? `${value}.toJson()`
      : `${publicCodec(this.ofRoot(fullName).codec)}.toJson(${value})`;
  }

  /** Returns the type of a field of a message. */
  ofField(field: FieldModel): string {
    const { type, boxed } = this.of(field.type);
    if (field.cardinality === 'repeated') return `List<${boxed}>`;
    if (field.cardinality === 'map') return `Map<${mapKeyOf(field).type}, ${boxed}>`;
    return mayBeAbsent(field) ? `Optional<${boxed}>` : type;
  }

  /**
   * Returns the type that a builder's setter accepts: the value's type, regardless of whether the field has presence.
   */
  ofSetter(field: FieldModel): string {
    return mayBeAbsent(field) ? this.of(field.type).type : this.ofField(field);
  }

  /** Returns the initial value of a field of a builder; undefined if it is Java's default. */
  initialOf(field: FieldModel): string | undefined {
    if (field.cardinality === 'repeated') return 'List.of()';
    if (field.cardinality === 'map') return 'Map.of()';
    return mayBeAbsent(field) ? 'Optional.empty()' : this.of(field.type).initial;
  }

  /** Reports whether the type of a field has no null. */
  isPrimitive(field: FieldModel): boolean {
    const { type, boxed } = this.of(field.type);
    return type !== boxed && field.cardinality !== 'repeated' && field.cardinality !== 'map';
  }
}
