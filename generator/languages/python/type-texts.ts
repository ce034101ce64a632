import type { SdkModel } from '../../model/sdk-model.ts';
import type { Expression } from './expressions.ts';
import { call } from './expressions.ts';
import { LanguageTypes } from '../../type-texts/language-types.ts';
import type { TypeTable } from '../../type-texts/type-table.ts';
import type { PythonNames } from './plan-names.ts';

/** How a type is written in Python. */
export interface TypeText {
  /** Annotation: `int`, `Word`, `_json.Timestamp`. */
  annotation: string;
  /** Codec of the runtime: `_json.INT64`, `_json.MessageCodec(Word)`. */
  codec: Expression;
  /** Value of a field without presence: `0`, `State.UNSPECIFIED`; absent if every field has presence. */
  default?: string;
}

const scalars: TypeTable<TypeText>['scalars'] = {
  double: { annotation: 'float', codec: '_json.DOUBLE', default: '0.0' },
  float: { annotation: 'float', codec: '_json.FLOAT', default: '0.0' },
  int32: { annotation: 'int', codec: '_json.INT32', default: '0' },
  int64: { annotation: 'int', codec: '_json.INT64', default: '0' },
  uint32: { annotation: 'int', codec: '_json.UINT32', default: '0' },
  uint64: { annotation: 'int', codec: '_json.UINT64', default: '0' },
  bool: { annotation: 'bool', codec: '_json.BOOL', default: 'False' },
  string: { annotation: 'str', codec: '_json.STRING', default: '""' },
  bytes: { annotation: 'bytes', codec: '_json.BYTES', default: 'b""' },
};

const struct: TypeText = { annotation: 'dict[str, _json.JsonValue]', codec: '_json.STRUCT' };

const wellKnowns: TypeTable<TypeText>['wellKnowns'] = {
  Any: struct,
  Duration: { annotation: '_json.Duration', codec: '_json.DURATION' },
  Empty: { annotation: '_json.Empty', codec: '_json.MessageCodec(_json.Empty)' },
  FieldMask: { annotation: '_json.FieldMask', codec: '_json.FIELD_MASK' },
  ListValue: { annotation: 'list[_json.JsonValue]', codec: '_json.LIST_VALUE' },
  NullValue: { annotation: '_json.NullValue', codec: '_json.NULL', default: '_json.NullValue.NULL_VALUE' },
  Struct: struct,
  Timestamp: { annotation: '_json.Timestamp', codec: '_json.TIMESTAMP' },
  Value: { annotation: '_json.JsonValue', codec: '_json.VALUE' },
};

/** Writes the types of one SDK. */
export class TypeTexts extends LanguageTypes<TypeText> {
  constructor(model: SdkModel, names: PythonNames) {
    super(model, names, { scalars, wellKnowns });
  }

  protected override messageText(name: string, qualifier: string): TypeText {
    const type = `${qualifier}${name}`;
    return { annotation: type, codec: call('_json.MessageCodec', [{ value: type }]) };
  }

  protected override enumText(name: string, qualifier: string, fullName: string): TypeText {
    const type = `${qualifier}${name}`;
    const first = `${type}.${this.#firstValue(fullName)}`;
    return {
      annotation: `${type} | _json.UnknownValue`,
      codec: call('_json.EnumCodec', [{ value: type }, { value: first }]),
      default: first,
    };
  }

  /** Returns the value of an absent field: the value numbered 0, or the first value in old protos without one. */
  #firstValue(fullName: string): string {
    const { values } = this.types.enum(fullName);
    const first = values.find(({ number }) => number === 0) ?? values[0];
    if (!first) throw new Error(`the enum ${fullName} has no values`);
    return this.valueName(fullName, first.name);
  }
}
