import type { FieldModel, MapKeyScalar } from '../../../specs/messages/message-model.ts';
import { hasPresence } from '../../model/presence.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import { LanguageTypes } from '../../type-texts/language-types.ts';
import type { TypeTable } from '../../type-texts/type-table.ts';
import type { CsharpNames } from './plan-names.ts';

/** How a type is written in C#. */
interface TypeText {
  /** `long`, `Word`, `Duration`. */
  type: string;
  /** Codec of the runtime: `ProtoJson.Int64Value`, `ProtoJson.Message<Word>()`. */
  codec: string;
  /** Whether it is a struct, whose nullable form is another type. */
  isValueType: boolean;
  /** Value of a field without presence, if it is not `default`. */
  initial?: string;
}

const scalars: TypeTable<TypeText>['scalars'] = {
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

const wellKnowns: TypeTable<TypeText>['wellKnowns'] = {
  Any: reference('JsonObject', 'Any'),
  Duration: struct('Duration', 'Duration'),
  Empty: reference('Empty', 'Empty'),
  FieldMask: reference('FieldMask', 'FieldMask'),
  ListValue: reference('JsonArray', 'ListValue'),
  NullValue: struct('NullValue', 'NullValue'),
  Struct: reference('JsonObject', 'Struct'),
  Timestamp: struct('Timestamp', 'Timestamp'),
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

/** Returns the key type of a map field and its codec. */
export function mapKeyOf(field: FieldModel): { type: string; codec: string } {
  return mapKeys[field.mapKey ?? 'string'];
}

/** Writes the types of one SDK. */
export class TypeTexts extends LanguageTypes<TypeText> {
  constructor(model: SdkModel, names: CsharpNames) {
    super(model, names, { scalars, wellKnowns });
  }

  protected override messageText(name: string, qualifier: string): TypeText {
    const type = `${qualifier}${name}`;
    return { type, codec: `ProtoJson.Message<${type}>()`, isValueType: false };
  }

  protected override enumText(name: string, qualifier: string): TypeText {
    const type = `${qualifier}${name}`;
    return { type, codec: `ProtoJson.Enum<${type}>()`, isValueType: true };
  }

  /** Returns the type of an input or output: a message of the model, or a well-known one. */
  ofRoot(fullName: string, within = ''): TypeText {
    return this.of(this.types.rootType(fullName), within);
  }

  /** Returns the type of a property. */
  ofField(field: FieldModel): string {
    const { type } = this.of(field.type);
    if (field.cardinality === 'repeated') return `IReadOnlyList<${type}>`;
    if (field.cardinality === 'map') return `IReadOnlyDictionary<${mapKeyOf(field).type}, ${type}>`;
    return hasPresence(field) ? `${type}?` : type;
  }

  /** Returns the initial value of a property; empty for `default`. */
  initialOf(field: FieldModel): string {
    const { type, initial = '' } = this.of(field.type);
    if (field.cardinality === 'repeated') return '[]';
    if (field.cardinality === 'map') return `ReadOnlyDictionary<${mapKeyOf(field).type}, ${type}>.Empty`;
    return hasPresence(field) ? '' : initial;
  }
}
