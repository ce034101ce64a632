import type {
  FieldModel,
  FieldType,
  MapKeyScalar,
  MessageModel,
  Scalar,
  WellKnown,
} from '../../specs/messages/message-model.ts';
import { hasPresence } from '../model/presence.ts';
import type { SdkModel } from '../model/sdk-model.ts';
import { TypeIndex } from '../model/type-index.ts';
import { planned } from '../names/planned.ts';
import { createDeclarationWords } from '../names/reach-words.ts';
import type { RustNames } from './plan-names.ts';
import { oneofKey } from './plan-names.ts';
import { firstSeenIn } from '../changes/first-seen.ts';
import { findBoxed } from './recursion.ts';

const scalars: Readonly<Record<Scalar, string>> = {
  double: 'f64',
  float: 'f32',
  int32: 'i32',
  int64: 'i64',
  uint32: 'u32',
  uint64: 'u64',
  bool: 'bool',
  string: 'String',
  bytes: 'types::Bytes',
};

const wellKnowns: Readonly<Record<WellKnown, string>> = {
  Any: 'types::Struct',
  BoolValue: 'bool',
  BytesValue: 'types::Bytes',
  DoubleValue: 'f64',
  Duration: 'types::Duration',
  Empty: 'types::Empty',
  FieldMask: 'types::FieldMask',
  FloatValue: 'f32',
  Int32Value: 'i32',
  Int64Value: 'i64',
  ListValue: 'Vec<types::Value>',
  NullValue: 'types::NullValue',
  StringValue: 'String',
  Struct: 'types::Struct',
  Timestamp: 'types::Timestamp',
  UInt32Value: 'u32',
  UInt64Value: 'u64',
  Value: 'types::Value',
};

/** Types that programs may give in other forms: texts as `&str`, times as `SystemTime`, JSON as what it is made of. */
const lenient: ReadonlySet<string> = new Set([
  'String',
  'types::Bytes',
  'types::Timestamp',
  'types::Value',
  'Vec<types::Value>',
]);

/** Writes the types of one SDK. */
export class TypeTexts {
  readonly #names: RustNames;
  /** The model's own types. */
  readonly types: TypeIndex;
  readonly #boxed: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #nameWords: (message: MessageModel) => string;

  constructor(model: SdkModel, names: RustNames) {
    this.#names = names;
    this.types = new TypeIndex(model.types);
    this.#boxed = findBoxed(model.types, firstSeenIn(model));
    this.#nameWords = createDeclarationWords({ types: names.types, parts: [names.fields, names.values] });
  }

  /** The type of an element, map value or single value; `within` qualifies those of `messages.rs`: `messages::`. */
  of(type: FieldType, within = ''): string {
    switch (type.kind) {
      case 'scalar':
        return scalars[type.scalar];
      case 'wellKnown':
        return wellKnowns[type.wellKnown];
      case 'message':
      case 'enum':
        return within + this.typeName(type.fullName);
    }
  }

  /** What a case of a oneof holds: messages are boxed, so that a oneof is never much larger than its smallest case. */
  ofCase({ type }: FieldModel): string {
    const text = this.of(type);
    return type.kind === 'message' ? `Box<${text}>` : text;
  }

  /** The type of a field of a struct. */
  ofField(message: string, field: FieldModel, within = ''): string {
    const text = this.of(field.type, within);
    if (field.cardinality === 'repeated') return `Vec<${text}>`;
    if (field.cardinality === 'map') return `BTreeMap<${mapKeyText(field.mapKey)}, ${text}>`;
    if (!hasPresence(field)) return text;
    return `Option<${this.isBoxed(message, field) ? `Box<${text}>` : text}>`;
  }

  /** The parameter of the method that sets a field, and the value that it sets. */
  setter(message: string, field: FieldModel): { parameter: string; value: string } {
    const text = this.of(field.type);
    if (field.cardinality === 'map')
      return {
        parameter: `map: impl Into<BTreeMap<${mapKeyText(field.mapKey)}, ${text}>>`,
        value: 'map.into()',
      };
    if (field.cardinality === 'repeated')
      return text === 'String'
        ? {
            parameter: 'values: impl IntoIterator<Item = impl Into<String>>',
            value: 'values.into_iter().map(Into::into).collect()',
          }
        : { parameter: `values: impl IntoIterator<Item = ${text}>`, value: 'values.into_iter().collect()' };
    const given = this.isBoxed(message, field) ? `Box<${text}>` : text;
    const isLenient = given !== text || lenient.has(text);
    const value = isLenient ? 'value.into()' : 'value';
    return {
      parameter: `value: ${isLenient ? `impl Into<${given}>` : text}`,
      value: hasPresence(field) ? `Some(${value})` : value,
    };
  }

  /** The same for a case of a oneof: a number is taken as it is, since the literal `3` is no `Into<u64>`. */
  caseSetter(field: FieldModel): { parameter: string; value: string } {
    const [text, given] = [this.of(field.type), this.ofCase(field)];
    return given !== text || lenient.has(text)
      ? { parameter: `value: impl Into<${given}>`, value: 'value.into()' }
      : { parameter: `value: ${text}`, value: 'value' };
  }

  isBoxed(message: string, { name, oneof }: FieldModel): boolean {
    return oneof === undefined && this.#boxed.get(message)?.has(name) === true;
  }

  /** All names that the declaration of a message is made of, and which of its fields are boxed. */
  declarationWords(message: MessageModel): string {
    const { fullName, oneofs } = message;
    const boxed = [...(this.#boxed.get(fullName) ?? [])].join(' ');
    const words = `${this.#nameWords(message)} ${boxed}`;
    if (oneofs.length === 0) return words;
    const ofOneofs = oneofs.map(({ name }) => this.oneofName(fullName, name));
    return JSON.stringify([words, ofOneofs, [...planned(this.#names.cases, fullName)]]);
  }

  typeName(fullName: string): string {
    return planned(this.#names.types, fullName);
  }

  oneofName(message: string, oneof: string): string {
    return planned(this.#names.oneofs, oneofKey(message, oneof));
  }

  field(message: string, field: string): string {
    return planned(planned(this.#names.fields, message), field);
  }

  /** Variant of a field of a oneof. */
  case(message: string, field: string): string {
    return planned(planned(this.#names.cases, message), field);
  }

  /** Variant or constant of an enum for a declared value name. */
  value(enumName: string, value: string): string {
    return planned(planned(this.#names.values, enumName), value);
  }
}

function mapKeyText(key: MapKeyScalar | undefined): string {
  return scalars[key ?? 'string'];
}
