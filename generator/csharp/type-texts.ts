import type {
  FieldModel,
  FieldType,
  MapKeyScalar,
  Scalar,
  WellKnown,
} from '../../specs/messages/message-model.ts';
import { hasPresence } from '../model/presence.ts';
import type { SdkModel } from '../model/sdk-model.ts';
import { TypeIndex } from '../model/type-index.ts';
import { planned } from '../names/planned.ts';
import type { CsharpNames } from './plan-names.ts';

/** How a type is written in C#. */
export interface TypeText {
  /** `long`, `Word`, `Duration`. */
  type: string;
  /** Codec of the runtime: `ProtoJson.Int64Value`, `ProtoJson.Message<Word>()`. */
  codec: string;
  /** Whether it is a struct, whose nullable form is another type. */
  isValueType: boolean;
  /** Value of a field without presence, when that is not `default`. */
  initial?: string;
}

const scalars: Readonly<Record<Scalar, TypeText>> = {
  double: struct('double', 'DoubleValue'),
  float: struct('float', 'FloatValue'),
  int32: struct('int', 'Int32Value'),
  int64: struct('long', 'Int64Value'),
  uint32: struct('uint', 'UInt32Value'),
  uint64: struct('ulong', 'UInt64Value'),
  bool: struct('bool', 'BoolValue'),
  string: { ...reference('string', 'StringValue'), initial: '""' },
  bytes: struct('ReadOnlyMemory<byte>', 'BytesValue'),
};

const wellKnowns: Readonly<Record<WellKnown, TypeText>> = {
  Any: reference('JsonObject', 'Any'),
  BoolValue: scalars.bool,
  BytesValue: scalars.bytes,
  DoubleValue: scalars.double,
  Duration: struct('Duration', 'Duration'),
  Empty: reference('Empty', 'Empty'),
  FieldMask: reference('FieldMask', 'FieldMask'),
  FloatValue: scalars.float,
  Int32Value: scalars.int32,
  Int64Value: scalars.int64,
  ListValue: reference('JsonArray', 'ListValue'),
  NullValue: struct('NullValue', 'NullValue'),
  StringValue: scalars.string,
  Struct: reference('JsonObject', 'Struct'),
  Timestamp: struct('Timestamp', 'Timestamp'),
  UInt32Value: scalars.uint32,
  UInt64Value: scalars.uint64,
  Value: struct('Value', 'Value'),
};

function struct(type: string, codec: string): TypeText {
  return { type, codec: `ProtoJson.${codec}`, isValueType: true };
}

function reference(type: string, codec: string): TypeText {
  return { type, codec: `ProtoJson.${codec}`, isValueType: false };
}

const mapKeys: Readonly<Record<MapKeyScalar, { type: string; codec: string }>> = {
  bool: { type: 'bool', codec: 'MapKeys.Bool' },
  int32: { type: 'int', codec: 'MapKeys.Int32' },
  int64: { type: 'long', codec: 'MapKeys.Int64' },
  string: { type: 'string', codec: 'MapKeys.String' },
  uint32: { type: 'uint', codec: 'MapKeys.UInt32' },
  uint64: { type: 'ulong', codec: 'MapKeys.UInt64' },
};

/** Key type of a map field and its codec. */
export function mapKeyOf(field: FieldModel): { type: string; codec: string } {
  return mapKeys[field.mapKey ?? 'string'];
}

/** Writes the types of one SDK. */
export class TypeTexts {
  readonly #names: CsharpNames;
  /** The model's own types. */
  readonly types: TypeIndex;

  constructor(model: SdkModel, names: CsharpNames) {
    this.#names = names;
    this.types = new TypeIndex(model.types);
  }

  /** The type of an element, map value or single value; `within` goes before types of the package: `Messages.`. */
  of(type: FieldType, within = ''): TypeText {
    switch (type.kind) {
      case 'scalar':
        return scalars[type.scalar];
      case 'wellKnown':
        return wellKnowns[type.wellKnown];
      case 'message': {
        const name = `${within}${this.typeName(type.fullName)}`;
        return { type: name, codec: `ProtoJson.Message<${name}>()`, isValueType: false };
      }
      case 'enum': {
        const name = `${within}${this.typeName(type.fullName)}`;
        return { type: name, codec: `ProtoJson.Enum<${name}>()`, isValueType: true };
      }
    }
  }

  /** The type of an input or output: a message of the model, or a well-known one. */
  ofRoot(fullName: string, within = ''): TypeText {
    return this.of(this.types.rootType(fullName), within);
  }

  /** The type of a property. */
  ofField(field: FieldModel): string {
    const { type } = this.of(field.type);
    if (field.cardinality === 'repeated') return `IReadOnlyList<${type}>`;
    if (field.cardinality === 'map') return `IReadOnlyDictionary<${mapKeyOf(field).type}, ${type}>`;
    return hasPresence(field) ? `${type}?` : type;
  }

  /** What a property holds that nobody set; empty for `default`. */
  initialOf(field: FieldModel): string {
    const { type, initial = '' } = this.of(field.type);
    if (field.cardinality === 'repeated') return '[]';
    if (field.cardinality === 'map') return `ReadOnlyDictionary<${mapKeyOf(field).type}, ${type}>.Empty`;
    return hasPresence(field) ? '' : initial;
  }

  /** Name of the type of a message or enum. */
  typeName(fullName: string): string {
    return planned(this.#names.types, fullName);
  }

  /** Name of the property of a field or oneof. */
  fieldName(message: string, field: string): string {
    return planned(planned(this.#names.fields, message), field);
  }

  /** Property of an enum value. */
  valueName(enumName: string, name: string): string {
    return planned(planned(this.#names.values, enumName), name);
  }
}
