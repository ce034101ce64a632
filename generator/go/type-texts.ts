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
import type { GoNames } from './plan-names.ts';

/** How a type is written in Go. */
export interface TypeText {
  /** `int64`, `*Word`, `svc.Duration`. */
  type: string;
  /** Codec of the runtime: `svc.Int64Codec`, `svc.MessageCodec[Word]()`. */
  codec: string;
  /** Codec in lists and maps and by itself, when it is another one. */
  itemCodec?: string;
  /** Whether nil is absence, so that a field with presence needs no pointer. */
  isNilable: boolean;
}

const scalars: Readonly<Record<Scalar, TypeText>> = {
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

const wellKnowns: Readonly<Record<WellKnown, TypeText>> = {
  Any: nilable('svc.Any', 'AnyCodec'),
  BoolValue: scalars.bool,
  BytesValue: scalars.bytes,
  DoubleValue: scalars.double,
  Duration: value('svc.Duration', 'DurationCodec'),
  Empty: nilable('*svc.Empty', 'EmptyCodec'),
  FieldMask: nilable('svc.FieldMask', 'FieldMaskCodec'),
  FloatValue: scalars.float,
  Int32Value: scalars.int32,
  Int64Value: scalars.int64,
  ListValue: nilable('[]any', 'ListValueCodec'),
  NullValue: value('svc.NullValue', 'NullCodec'),
  StringValue: scalars.string,
  Struct: nilable('map[string]any', 'StructCodec'),
  Timestamp: value('time.Time', 'TimestampCodec'),
  UInt32Value: scalars.uint32,
  UInt64Value: scalars.uint64,
  Value: { ...nilable('any', 'ValueCodec'), itemCodec: 'svc.ItemCodec' },
};

function value(type: string, codec: string): TypeText {
  return { type, codec: `svc.${codec}`, isNilable: false };
}

function nilable(type: string, codec: string): TypeText {
  return { type, codec: `svc.${codec}`, isNilable: true };
}

const mapKeys: Readonly<Record<MapKeyScalar, { type: string; codec: string }>> = {
  bool: { type: 'bool', codec: 'svc.BoolKey' },
  int32: { type: 'int32', codec: 'svc.Int32Key' },
  int64: { type: 'int64', codec: 'svc.Int64Key' },
  string: { type: 'string', codec: 'svc.StringKey' },
  uint32: { type: 'uint32', codec: 'svc.Uint32Key' },
  uint64: { type: 'uint64', codec: 'svc.Uint64Key' },
};

/** Key type of a map field and its codec. */
export function mapKeyOf(field: FieldModel): { type: string; codec: string } {
  return mapKeys[field.mapKey ?? 'string'];
}

/** Writes the types of one SDK. */
export class TypeTexts {
  readonly #names: GoNames;
  /** The model's own types. */
  readonly types: TypeIndex;

  constructor(model: SdkModel, names: GoNames) {
    this.#names = names;
    this.types = new TypeIndex(model.types);
  }

  /** The type of an element, map value or single value; `within` is how a program calls the package: `acmetext.`. */
  of(type: FieldType, within = ''): TypeText {
    switch (type.kind) {
      case 'scalar':
        return scalars[type.scalar];
      case 'wellKnown':
        return wellKnowns[type.wellKnown];
      case 'message': {
        const name = `${within}${this.typeName(type.fullName)}`;
        return { type: `*${name}`, codec: `svc.MessageCodec[${name}]()`, isNilable: true };
      }
      case 'enum': {
        const name = this.typeName(type.fullName);
        const codec = `svc.EnumCodec[${name}](${enumTable(name)})`;
        return { type: `${within}${name}`, codec, isNilable: false };
      }
    }
  }

  /** The type of an input or output: a message of the model, or a well-known one. */
  ofRoot(fullName: string, within = ''): { type: string; codec: string } {
    const { type, codec, itemCodec = codec } = this.of(this.types.rootType(fullName), within);
    return { type, codec: itemCodec };
  }

  /** The type of a field of a struct. */
  ofField(field: FieldModel, within = ''): string {
    const { type, isNilable } = this.of(field.type, within);
    if (field.cardinality === 'repeated') return `[]${type}`;
    if (field.cardinality === 'map') return `map[${mapKeyOf(field).type}]${type}`;
    return mayBeAbsent(field) && !isNilable ? `*${type}` : type;
  }

  /** Name of the type of a message or enum. */
  typeName(fullName: string): string {
    return planned(this.#names.types, fullName);
  }

  /** Name of a field, or of the method of a oneof. */
  fieldName(message: string, field: string): string {
    return planned(planned(this.#names.fields, message), field);
  }

  /** Constant of an enum value. */
  constant(enumName: string, name: string): string {
    return planned(planned(this.#names.values, enumName), name);
  }
}

/** Variable that describes an enum. */
export function enumTable(typeName: string): string {
  return `enum${typeName}`;
}

/** Variable that describes a message. */
export function messageTable(typeName: string): string {
  return `message${typeName}`;
}
