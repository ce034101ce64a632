import type {
  EnumValueModel,
  FieldModel,
  FieldType,
  MapKeyScalar,
  Scalar,
  WellKnown,
} from '../../specs/messages/message-model.ts';
import type { TypeIndex } from '../model/type-index.ts';
import type { JsonValue } from '../model/sdk-model.ts';
import { isWrapper, wrappedScalars, type Wrapper } from '../../specs/messages/wrapped-scalars.ts';
import { bytesOf, entriesOf, givenFields, type GivenField, textOf } from './sample-json.ts';

/** The scalars that are whole numbers. Those of 64 bits may exceed the exact range of `number`. */
export type IntegerScalar = Exclude<Scalar, 'bool' | 'bytes' | 'double' | 'float' | 'string'>;
/** The well-known types whose samples are written as JSON. */
export type JsonType = 'Any' | 'ListValue' | 'Struct' | 'Value';

/** A key of a map with its value. */
export interface Entry<Expression> {
  key: Expression | string;
  value: Expression | string;
}

/**
 * Writes ProtoJSON samples as expressions of a language. A language writes literals of scalars and collections; the walk over the
 * types is the same for all languages.
 *
 * Samples come from the generator (`SdkMember.sample`), so they fit their types. A value that does not fit is replaced with a
 * default, never with a guess.
 */
export abstract class SampleWriter<Expression> {
  protected readonly types: TypeIndex;

  constructor(types: TypeIndex) {
    this.types = types;
  }

  protected abstract string(text: string): Expression | string;
  protected abstract bytes(bytes: Uint8Array, base64: string): Expression | string;
  /** @param digits with a sign, if it is negative. */
  protected abstract integer(digits: string, scalar: IntegerScalar): Expression | string;
  protected abstract float(number: number, scalar: 'double' | 'float'): Expression | string;
  /** @param declared undefined for a value that the enum does not declare. */
  protected abstract enumValue(
    fullName: string,
    declared: EnumValueModel | undefined,
    value: JsonValue,
  ): Expression | string;
  protected abstract message(fullName: string, given: readonly GivenField[]): Expression | string;
  protected abstract list(field: FieldModel, items: readonly (Expression | string)[]): Expression | string;
  protected abstract map(field: FieldModel, entries: readonly Entry<Expression>[]): Expression | string;
  protected abstract json(value: JsonValue, type: JsonType): Expression | string;
  /** @param text ProtoJSON: `1.5s`. */
  protected abstract duration(text: string): Expression | string;
  /** @param text ProtoJSON: `2026-01-31T09:30:00Z`. */
  protected abstract timestamp(text: string): Expression | string;
  /** @param paths in lowerCamelCase, as in ProtoJSON. */
  protected abstract fieldMask(paths: readonly string[]): Expression | string;
  protected abstract empty(): Expression | string;
  protected abstract nullValue(): Expression | string;

  protected boolean(value: boolean): string {
    return String(value);
  }

  /** Returns a single value, an element or a map value. */
  protected value(type: FieldType, value: JsonValue): Expression | string {
    switch (type.kind) {
      case 'scalar':
        return this.#scalar(type.scalar, value);
      case 'enum': {
        const declared = this.types.enum(type.fullName).values.find(({ name }) => name === value);
        return this.enumValue(type.fullName, declared, value);
      }
      case 'message':
        return this.message(type.fullName, givenFields(this.types.message(type.fullName), value));
      case 'wellKnown':
        return isWrapper(type.wellKnown)
          ? this.#scalar(wrappedScalars[type.wellKnown], value)
          : this.#wellKnown(type.wellKnown, value);
    }
  }

  /** Returns an element of a list or a value of a map. */
  protected element(field: FieldModel, value: JsonValue): Expression | string {
    return this.value(field.type, value);
  }

  /** Returns the value of a field: a list, a map or a single value. */
  protected field(field: FieldModel, value: JsonValue): Expression | string {
    if (field.cardinality === 'repeated') {
      const items = Array.isArray(value) ? value : [];
      return this.list(
        field,
        items.map((item) => this.element(field, item)),
      );
    }
    if (field.cardinality === 'map') {
      const entries = entriesOf(value).map(([key, item]) => ({
        key: this.mapKey(field.mapKey, key),
        value: this.element(field, item),
      }));
      return this.map(field, entries);
    }
    return this.value(field.type, value);
  }

  /** @param key as in ProtoJSON, where every key is a string. */
  protected mapKey(type: MapKeyScalar = 'string', key: string): Expression | string {
    if (type === 'string') return this.string(key);
    return type === 'bool' ? this.boolean(key === 'true') : this.integer(digitsOf(key), type);
  }

  #scalar(scalar: Scalar, value: JsonValue): Expression | string {
    switch (scalar) {
      case 'string':
        return this.string(textOf(value));
      case 'bytes':
        return this.bytes(bytesOf(textOf(value)), textOf(value));
      case 'bool':
        return this.boolean(value === true);
      case 'double':
      case 'float':
        return this.float(Number.isFinite(Number(value)) ? Number(value) : 0, scalar);
      default:
        return this.integer(digitsOf(textOf(value)), scalar);
    }
  }

  #wellKnown(type: Exclude<WellKnown, Wrapper>, value: JsonValue): Expression | string {
    switch (type) {
      case 'Any':
      case 'ListValue':
      case 'Struct':
      case 'Value':
        return this.json(value, type);
      case 'Duration':
        return this.duration(textOf(value));
      case 'Empty':
        return this.empty();
      case 'FieldMask':
        return this.fieldMask(textOf(value).split(',').filter(Boolean));
      case 'NullValue':
        return this.nullValue();
      case 'Timestamp':
        return this.timestamp(textOf(value));
    }
  }
}

function digitsOf(text: string): string {
  return /^-?\d+$/.test(text) ? text : '0';
}

/** Returns a path of a field mask with proto names: `unit_price` of `unitPrice`. */
export function protoPath(path: string): string {
  return path.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns a literal that no language reads as an integer: `1.0`. */
export function floatLiteral(number: number): string {
  const text = String(number);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
