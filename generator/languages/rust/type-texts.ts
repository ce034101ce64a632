import type { FieldModel, MapKeyScalar } from '../../../specs/messages/message-model.ts';
import { hasPresence } from '../../model/presence.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import { planned } from '../../names/planned.ts';
import { LanguageTypes } from '../../type-texts/language-types.ts';
import type { TypeTable } from '../../type-texts/type-table.ts';
import type { RustNames } from './plan-names.ts';
import { oneofKey } from './plan-names.ts';
import { firstSeenIn } from '../../changes/first-seen.ts';
import { findBoxed } from './recursion.ts';

const scalars: TypeTable<string>['scalars'] = {
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

const wellKnowns: TypeTable<string>['wellKnowns'] = {
  Any: 'types::Struct',
  Duration: 'types::Duration',
  Empty: 'types::Empty',
  FieldMask: 'types::FieldMask',
  ListValue: 'Vec<types::Value>',
  NullValue: 'types::NullValue',
  Struct: 'types::Struct',
  Timestamp: 'types::Timestamp',
  Value: 'types::Value',
};

/** Types with lenient setters: strings accept `&str`, times accept other crates' types, and JSON values accept their parts. */
const lenient: ReadonlySet<string> = new Set([
  'String',
  'types::Bytes',
  'types::Duration',
  'types::Timestamp',
  'types::Value',
  'Vec<types::Value>',
]);

/** Writes the types of one SDK. */
export class TypeTexts extends LanguageTypes<string> {
  readonly #names: RustNames;
  readonly #boxed: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(model: SdkModel, names: RustNames) {
    super(model, names, { scalars, wellKnowns });
    this.#names = names;
    this.#boxed = findBoxed(model.types, firstSeenIn(model));
  }

  protected override messageText(name: string, qualifier: string): string {
    return qualifier + name;
  }

  protected override enumText(name: string, qualifier: string): string {
    return qualifier + name;
  }

  /**
   * Returns the type of a case of a oneof: messages are boxed, so that a oneof is never much larger than its smallest
   * case.
   */
  ofCase({ type }: FieldModel): string {
    const text = this.of(type);
    return type.kind === 'message' ? `Box<${text}>` : text;
  }

  /** Returns the type of a field of a struct. */
  ofField(message: string, field: FieldModel): string {
    const text = this.of(field.type);
    if (field.cardinality === 'repeated') return `Vec<${text}>`;
    if (field.cardinality === 'map') return `BTreeMap<${mapKeyText(field.mapKey)}, ${text}>`;
    if (!hasPresence(field)) return text;
    return `Option<${this.isBoxed(message, field) ? `Box<${text}>` : text}>`;
  }

  /** Returns the parameter of the method that sets a field, and the value that it sets. */
  setter(message: string, field: FieldModel): { parameter: string; value: string } {
    const text = this.of(field.type);
    if (field.cardinality === 'map')
      return {
        parameter: `map: impl IntoIterator<Item = (${mapKeyText(field.mapKey)}, ${text})>`,
        value: 'map.into_iter().collect()',
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

  /**
   * Returns the same as `setter` for a case of a oneof. A number is accepted only as its own type, since the literal
   * `3` is not an `Into<u64>`.
   */
  caseSetter(field: FieldModel): { parameter: string; value: string } {
    const [text, given] = [this.of(field.type), this.ofCase(field)];
    return given !== text || lenient.has(text)
      ? { parameter: `value: impl Into<${given}>`, value: 'value.into()' }
      : { parameter: `value: ${text}`, value: 'value' };
  }

  isBoxed(message: string, { name, oneof }: FieldModel): boolean {
    return oneof === undefined && this.#boxed.get(message)?.has(name) === true;
  }

  oneofName(message: string, oneof: string): string {
    return planned(this.#names.oneofs, oneofKey(message, oneof));
  }

  /** Returns the variant of a field of a oneof. */
  case(message: string, field: string): string {
    return planned(planned(this.#names.cases, message), field);
  }
}

function mapKeyText(key: MapKeyScalar | undefined): string {
  return scalars[key ?? 'string'];
}
