import type { FieldModel, MapKeyScalar } from '../../../specs/messages/message-model.ts';
import { mayBeAbsent } from '../../model/presence.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import { LanguageTypes } from '../../type-texts/language-types.ts';
import { planned } from '../../names/planned.ts';
import type { TypeTable } from '../../type-texts/type-table.ts';
import type { GoNames } from './plan-names.ts';

/** How a type is written in Go. */
interface TypeText {
  /** `int64`, `*Word`, `svc.Duration`. */
  type: string;
  /** Codec of the runtime, which the package itself can use: `protojson.Int64Codec`, `messageWord.Codec()`. */
  codec: string;
  /** Codec for list and map elements and for roots, if it differs. */
  itemCodec?: string;
  /** Whether nil means absence, so that a field with presence needs no pointer. */
  isNilable: boolean;
}

const scalars: TypeTable<TypeText>['scalars'] = {
  double: value('float64', 'DoubleCodec'),
  float: value('float32', 'FloatCodec'),
  int32: value('int32', 'Int32Codec'),
  int64: value('int64', 'Int64Codec'),
  uint32: value('uint32', 'Uint32Codec'),
  uint64: value('uint64', 'Uint64Codec'),
  bool: value('bool', 'BoolCodec'),
  string: value('string', 'StringCodec'),
  bytes: nilable('[]byte', 'BytesCodec'),
};

const wellKnowns: TypeTable<TypeText>['wellKnowns'] = {
  Any: nilable('svc.Any', 'AnyCodec'),
  Duration: value('svc.Duration', 'DurationCodec'),
  Empty: nilable('*svc.Empty', 'EmptyCodec'),
  FieldMask: nilable('svc.FieldMask', 'FieldMaskCodec'),
  ListValue: nilable('[]any', 'ListValueCodec'),
  NullValue: value('svc.NullValue', 'NullCodec'),
  Struct: nilable('map[string]any', 'StructCodec'),
  Timestamp: value('time.Time', 'TimestampCodec'),
  Value: { ...nilable('any', 'ValueCodec'), itemCodec: 'protojson.ItemCodec' },
};

function value(type: string, codec: string): TypeText {
  return { type, codec: `protojson.${codec}`, isNilable: false };
}

function nilable(type: string, codec: string): TypeText {
  return { type, codec: `protojson.${codec}`, isNilable: true };
}

const mapKeys: Readonly<Record<MapKeyScalar, { type: string; codec: string }>> = {
  bool: { type: 'bool', codec: 'protojson.BoolKey' },
  int32: { type: 'int32', codec: 'protojson.Int32Key' },
  int64: { type: 'int64', codec: 'protojson.Int64Key' },
  string: { type: 'string', codec: 'protojson.StringKey' },
  uint32: { type: 'uint32', codec: 'protojson.Uint32Key' },
  uint64: { type: 'uint64', codec: 'protojson.Uint64Key' },
};

/** Returns the key type of a map field and its codec. */
export function mapKeyOf(field: FieldModel): { type: string; codec: string } {
  return mapKeys[field.mapKey ?? 'string'];
}

/** Writes the types of one SDK. */
export class TypeTexts extends LanguageTypes<TypeText> {
  readonly #cases: GoNames['cases'];

  constructor(model: SdkModel, names: GoNames) {
    super(model, names, { scalars, wellKnowns });
    this.#cases = names.cases;
  }

  /** Returns the constant of a field of a oneof. */
  caseName(message: string, field: string): string {
    return planned(planned(this.#cases, message), field);
  }

  protected override messageText(name: string, qualifier: string): TypeText {
    const type = `${qualifier}${name}`;
    return { type: `*${type}`, codec: `${messageTable(name)}.Codec()`, isNilable: true };
  }

  protected override enumText(name: string, qualifier: string): TypeText {
    const codec = `protojson.EnumCodec[${name}](${enumTable(name)})`;
    return { type: `${qualifier}${name}`, codec, isNilable: false };
  }

  /** Returns the type of an input or output: a message of the model, or a well-known one. */
  ofRoot(fullName: string, within = ''): { type: string; codec: string; isMessage: boolean } {
    const root = this.types.rootType(fullName);
    const { type, codec, itemCodec = codec } = this.of(root, within);
    return { type, codec: itemCodec, isMessage: root.kind === 'message' };
  }

  /** Returns the type of a field of a struct. */
  ofField(field: FieldModel): string {
    const { type, isNilable } = this.of(field.type);
    if (field.cardinality === 'repeated') return `[]${type}`;
    if (field.cardinality === 'map') return `map[${mapKeyOf(field).type}]${type}`;
    return mayBeAbsent(field) && !isNilable ? `*${type}` : type;
  }
}

/** Returns the variable that describes an enum. */
export function enumTable(typeName: string): string {
  return `enum${typeName}`;
}

/** Returns the variable that describes a message. */
export function messageTable(typeName: string): string {
  return `message${typeName}`;
}
