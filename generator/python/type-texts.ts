import type { FieldType, Scalar, WellKnown } from '../../specs/messages/message-model.ts';
import type { SdkModel } from '../model/sdk-model.ts';
import { TypeIndex } from '../model/type-index.ts';
import { planned } from '../names/planned.ts';
import type { Expression } from './expressions.ts';
import { call } from './expressions.ts';
import type { PythonNames } from './plan-names.ts';

/** How a type is written in Python. */
export interface TypeText {
  /** Annotation: `int`, `Word`, `_json.Timestamp`. */
  annotation: string;
  /** Codec of the runtime: `_json.INT64`, `_json.MessageCodec(Word)`. */
  codec: Expression;
  /** Value of a field without presence: `0`, `State.UNSPECIFIED`; absent where every field has presence. */
  default?: string;
}

const scalars: Readonly<Record<Scalar, TypeText>> = {
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

const wellKnowns: Readonly<Record<WellKnown, TypeText>> = {
  Any: struct,
  BoolValue: { annotation: 'bool', codec: '_json.BOOL' },
  BytesValue: { annotation: 'bytes', codec: '_json.BYTES' },
  DoubleValue: { annotation: 'float', codec: '_json.DOUBLE' },
  Duration: { annotation: '_json.Duration', codec: '_json.DURATION' },
  Empty: { annotation: '_json.Empty', codec: '_json.MessageCodec(_json.Empty)' },
  FieldMask: { annotation: '_json.FieldMask', codec: '_json.FIELD_MASK' },
  FloatValue: { annotation: 'float', codec: '_json.FLOAT' },
  Int32Value: { annotation: 'int', codec: '_json.INT32' },
  Int64Value: { annotation: 'int', codec: '_json.INT64' },
  ListValue: { annotation: 'list[_json.JsonValue]', codec: '_json.LIST_VALUE' },
  NullValue: { annotation: '_json.NullValue', codec: '_json.NULL', default: '_json.NullValue.NULL_VALUE' },
  StringValue: { annotation: 'str', codec: '_json.STRING' },
  Struct: struct,
  Timestamp: { annotation: '_json.Timestamp', codec: '_json.TIMESTAMP' },
  UInt32Value: { annotation: 'int', codec: '_json.UINT32' },
  UInt64Value: { annotation: 'int', codec: '_json.UINT64' },
  Value: { annotation: '_json.JsonValue', codec: '_json.VALUE' },
};

/** Writes the types of one SDK. */
export class TypeTexts {
  readonly #names: PythonNames;
  /** The model's own types. */
  readonly types: TypeIndex;

  constructor(model: SdkModel, names: PythonNames) {
    this.#names = names;
    this.types = new TypeIndex(model.types);
  }

  /** The type of an element, map value or single value; `within` qualifies classes of `messages.py`: `_messages.`. */
  of(type: FieldType, within = ''): TypeText {
    switch (type.kind) {
      case 'scalar':
        return scalars[type.scalar];
      case 'wellKnown':
        return wellKnowns[type.wellKnown];
      case 'message': {
        const name = `${within}${this.className(type.fullName)}`;
        return { annotation: name, codec: call('_json.MessageCodec', [{ value: name }]) };
      }
      case 'enum': {
        const name = `${within}${this.className(type.fullName)}`;
        const first = `${name}.${this.#firstValue(type.fullName)}`;
        return {
          annotation: name,
          codec: call('_json.EnumCodec', [{ value: name }, { value: first }]),
          default: first,
        };
      }
    }
  }

  className(fullName: string): string {
    return planned(this.#names.types, fullName);
  }

  attribute(message: string, field: string): string {
    return planned(planned(this.#names.fields, message), field);
  }

  /** Member of an enum class for a declared value name. */
  value(enumName: string, value: string): string {
    return planned(planned(this.#names.values, enumName), value);
  }

  /** The value of an absent field: the one numbered 0, in old protos without one the first. */
  #firstValue(fullName: string): string {
    const { values } = this.types.enum(fullName);
    const first = values.find(({ number }) => number === 0) ?? values[0];
    if (!first) throw new Error(`the enum ${fullName} has no values`);
    return this.value(fullName, first.name);
  }
}
