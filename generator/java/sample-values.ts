import type { FieldModel, FieldType } from '../../specs/messages/message-model.ts';
import { entriesOf, givenFields, textOf } from '../model/sample-json.ts';
import type { JsonValue } from '../model/sdk-model.ts';
import { createMemory } from '../remember.ts';
import { typesIn } from './imports.ts';
import { measured } from './layout.ts';
import type { Call, Expression, Measured } from './layout.ts';
import type { TypeTexts } from './type-texts.ts';

/** An expression for a sample value, and what a program imports to write it. */
export interface SampleValue {
  expression: Measured;
  /** Simple names of types. */
  types: ReadonlySet<string>;
}

/** By the sample, in the names of all types that it reaches: members of a published package show the same ones in every client. */
const made = createMemory<object, SampleValue>();

/**
 * Writes ProtoJSON samples as Java. They are made by the generator (`SdkMember.sample`), so they fit their types; what still
 * does not is left out, never guessed.
 */
export class SampleValues {
  readonly #texts: TypeTexts;
  readonly #wordsOf: (fullName: string) => string | undefined;

  /** @param wordsOf all names that a sample of a type is written in (`generator/names/reach-words.ts`). */
  constructor(texts: TypeTexts, wordsOf: (fullName: string) => string | undefined) {
    this.#texts = texts;
    this.#wordsOf = wordsOf;
  }

  /** A sample of an input or output. */
  ofRoot(fullName: string, sample: JsonValue): SampleValue {
    if (typeof sample !== 'object' || sample === null) return this.#make(fullName, sample);
    return made.recall(sample, this.#wordsOf(fullName), () => this.#make(fullName, sample));
  }

  #make(fullName: string, sample: JsonValue): SampleValue {
    const expression = measured(this.#value(this.#texts.types.rootType(fullName), sample));
    return { expression, types: typesIn([expression.flat], this.#texts.typeNames) };
  }

  #value(type: FieldType, value: JsonValue): Expression {
    switch (type.kind) {
      case 'scalar':
        return scalar(type.scalar, value);
      case 'enum':
        return this.#enumValue(type.fullName, value);
      case 'message':
        return this.#message(type.fullName, value);
      case 'wellKnown':
        return wellKnown(type.wellKnown, value);
    }
  }

  #enumValue(fullName: string, value: JsonValue): Expression {
    const name = this.#texts.typeName(fullName);
    const declared = this.#texts.types.enum(fullName).values.find((each) => each.name === value);
    if (declared && !declared.deprecated)
      return { type: name, constant: this.#texts.constant(fullName, declared.name) };
    return { callee: `new ${name}`, args: [{ string: textOf(value) }] };
  }

  #message(fullName: string, value: JsonValue): Expression {
    const given = givenFields(this.#texts.types.message(fullName), value);
    const links = given.flatMap(({ field, value: item }): Call[] =>
      field.deprecated
        ? []
        : [{ callee: this.#texts.fieldName(fullName, field.name), args: [this.#field(field, item)] }],
    );
    return {
      head: `${this.#texts.typeName(fullName)}.builder()`,
      links: [...links, { callee: 'build', args: [] }],
    };
  }

  #field(field: FieldModel, value: JsonValue): Expression {
    if (field.cardinality === 'repeated') {
      const items = Array.isArray(value) ? value : [];
      return { callee: 'List.of', args: items.map((item) => this.#value(field.type, item)) };
    }
    if (field.cardinality === 'map')
      return {
        callee: 'Map.of',
        args: entriesOf(value)
          .slice(0, mostEntries)
          .flatMap(([key, item]) => [mapKey(field, key), this.#value(field.type, item)]),
      };
    return this.#value(field.type, value);
  }
}

/** What `Map.of` takes. */
const mostEntries = 10;

function scalar(kind: string, value: JsonValue): Expression {
  switch (kind) {
    case 'string':
      return { string: textOf(value) };
    case 'bytes':
      return bytes(textOf(value));
    case 'bool':
      return value === true ? 'true' : 'false';
    case 'double':
    case 'float':
      return floatLiteral(Number(value), kind === 'float' ? 'f' : '');
    default:
      return integer(kind, textOf(value));
  }
}

function integer(kind: string, text: string): Expression {
  const digits = /^-?\d+$/.test(text) ? text : '0';
  if (kind === 'int32') return digits;
  if (kind !== 'uint64') return `${digits}L`;
  return digits.length < 19
    ? { callee: 'BigInteger.valueOf', args: [digits] }
    : { callee: 'new BigInteger', args: [{ string: digits }] };
}

/** Never taken for an integer. */
function floatLiteral(number: number, suffix: string): string {
  const text = Number.isFinite(number) ? String(number).replace('e+', 'e') : '0';
  return `${/[.e]/.test(text) ? text : `${text}.0`}${suffix}`;
}

/** `Bytes.ofUtf8("ship")` where the bytes are a text that can be read. */
function bytes(base64: string): Expression {
  const text = atob(base64.replaceAll('-', '+').replaceAll('_', '/'));
  if (/^[\x20-\x7e]*$/.test(text)) return { callee: 'Bytes.ofUtf8', args: [{ string: text }] };
  return { callee: 'Bytes.ofBase64', args: [{ string: base64 }] };
}

function wellKnown(kind: string, value: JsonValue): Expression {
  switch (kind) {
    case 'Any':
    case 'Struct':
      return parsed('JsonObject', value);
    case 'ListValue':
      return parsed('JsonArray', value);
    case 'Value':
      return parsed('JsonValue', value);
    case 'Duration':
      return duration(textOf(value));
    case 'Empty':
      return 'new Empty()';
    case 'FieldMask': {
      const paths = textOf(value).split(',').filter(Boolean);
      const snake = paths.map((path) => path.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
      return { callee: 'FieldMask.of', args: snake.map((path) => ({ string: path })) };
    }
    case 'NullValue':
      return 'JsonNull.INSTANCE';
    case 'Timestamp':
      return { callee: 'Instant.parse', args: [{ string: textOf(value) }] };
    default:
      return scalar(kind.replace(/Value$/, '').toLowerCase(), value);
  }
}

function parsed(type: string, value: JsonValue): Expression {
  return { callee: `${type}.parse`, args: [{ string: JSON.stringify(value) }] };
}

function duration(text: string): Expression {
  const [, sign = '', seconds = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?s$/.exec(text) ?? [];
  const nanos = Number(fraction.padEnd(9, '0').slice(0, 9));
  const whole = `${sign}${Number(seconds) > 2 ** 31 - 1 ? `${seconds}L` : seconds}`;
  return { callee: 'Duration.ofSeconds', args: nanos === 0 ? [whole] : [whole, `${sign}${nanos}`] };
}

function mapKey(field: FieldModel, key: string): Expression {
  if (field.mapKey === 'string' || field.mapKey === undefined) return { string: key };
  if (field.mapKey === 'bool') return key === 'true' ? 'true' : 'false';
  return integer(field.mapKey, key);
}
