import type { FieldModel, FieldType } from '../../specs/messages/message-model.ts';
import { mayBeAbsent } from '../model/presence.ts';
import { bytesOf, entriesOf, givenFields, nanosOf, textOf } from '../model/sample-json.ts';
import type { JsonValue, SdkModel } from '../model/sdk-model.ts';
import { createMemory } from '../remember.ts';
import type { Expression, Item } from './expressions.ts';
import { call, printExpression, printFlat } from './expressions.ts';
import { bytesLiteral, quotedLiteral, stringLiteral } from './literals.ts';
import { mapKeyOf, type TypeTexts } from './type-texts.ts';

/** An expression for a sample value, and what a program imports to write it. */
export interface SampleValue {
  /** As the value of a variable within a function: `input := ...`. */
  text: string;
  usesSvc: boolean;
  usesTime: boolean;
  /** Whether it names a type or constant that is deprecated. */
  usesDeprecated: boolean;
}

/** Types whose literals Go would give another type, or that a variable has to be told. */
const literalTypes: ReadonlySet<string> = new Set(['any', 'float32', 'int32', 'int64', 'uint32', 'uint64']);

/**
 * Writes ProtoJSON samples as Go. They are made by the generator (`SdkMember.sample`), so they fit their types; what still does
 * not is left out, never guessed.
 */
export class SampleValues {
  readonly #texts: TypeTexts;
  /** How a program calls the package: `acmetext.`. */
  readonly #within: string;
  /** Types and constants that are deprecated, as a program writes them: `acmetext.OldOrder`. */
  readonly #deprecated: ReadonlySet<string>;
  /** README, example and test all show the sample of a member. */
  readonly #made = createMemory<object, SampleValue>();

  constructor(model: SdkModel, texts: TypeTexts, within: string) {
    this.#texts = texts;
    this.#within = within;
    this.#deprecated = new Set(deprecatedNames(model, texts).map((name) => `${within}${name}`));
  }

  /** A sample of an input or output. */
  ofRoot(fullName: string, sample: JsonValue): SampleValue {
    if (typeof sample !== 'object' || sample === null) return this.#make(fullName, sample);
    return this.#made.recall(sample, fullName, () => this.#make(fullName, sample));
  }

  #make(fullName: string, sample: JsonValue): SampleValue {
    const type = this.#texts.types.rootType(fullName);
    const printed = printExpression(this.#value(type, sample), 1, 'input := '.length);
    const { type: typeText } = this.#texts.of(type);
    const text =
      type.kind === 'wellKnown' && literalTypes.has(typeText) ? `${typeText}(${printed})` : printed;
    const code = text.replaceAll(/"(?:[^"\\]|\\.)*"|`[^`]*`/g, '""');
    return {
      text,
      usesSvc: /\bsvc\./.test(code),
      usesTime: /\btime\./.test(code),
      usesDeprecated:
        this.#deprecated.size > 0 &&
        (code.match(/\w+\.\w+/g) ?? []).some((name) => this.#deprecated.has(name)),
    };
  }

  #value(type: FieldType, value: JsonValue): Expression {
    switch (type.kind) {
      case 'scalar':
        return scalar(type.scalar, value);
      case 'enum':
        return this.#enumValue(type.fullName, value);
      case 'message':
        return this.#message(type.fullName, value, `&${this.#within}${this.#texts.typeName(type.fullName)}`);
      case 'wellKnown':
        return wellKnown(type.wellKnown, value);
    }
  }

  #enumValue(fullName: string, value: JsonValue): Expression {
    const declared = this.#texts.types.enum(fullName).values.find(({ name }) => name === value);
    if (declared) return `${this.#within}${this.#texts.constant(fullName, declared.name)}`;
    return `${this.#within}${this.#texts.typeName(fullName)}(${quotedLiteral(textOf(value))})`;
  }

  /** @param opening what stands before the braces; nothing where Go knows the type. */
  #message(fullName: string, value: JsonValue, opening: string): Expression {
    const given = givenFields(this.#texts.types.message(fullName), value);
    const items = given.map(({ field, value: item }): Item => ({
      key: this.#texts.fieldName(fullName, field.name),
      value: this.#field(field, item),
    }));
    return { open: `${opening}{`, items, close: '}' };
  }

  #field(field: FieldModel, value: JsonValue): Expression {
    const { type, isNilable } = this.#texts.of(field.type, this.#within);
    if (field.cardinality === 'repeated') {
      const items = Array.isArray(value) ? value : [];
      return {
        open: `[]${type}{`,
        items: items.map((item) => ({ value: this.#element(field.type, item) })),
        close: '}',
      };
    }
    if (field.cardinality === 'map')
      return {
        open: `map[${mapKeyOf(field).type}]${type}{`,
        items: entriesOf(value).map(([key, item]) => ({
          key: mapKey(field, key),
          value: this.#element(field.type, item),
        })),
        close: '}',
      };
    const single = this.#value(field.type, value);
    return mayBeAbsent(field) && !isNilable ? pointerTo(type, single) : single;
  }

  /** An element of a list or map, whose type stands before the list already. */
  #element(type: FieldType, value: JsonValue): Expression {
    if (type.kind === 'message') return this.#message(type.fullName, value, '');
    const expression = this.#value(type, value);
    if (typeof expression === 'string') return expression;
    const { type: text } = this.#texts.of(type, this.#within);
    return expression.open === `${text}{` || expression.open === `&${text.slice(1)}{`
      ? { ...expression, open: '{' }
      : expression;
  }
}

function deprecatedNames({ types }: SdkModel, texts: TypeTexts): string[] {
  const symbols = [...types.messages, ...types.enums].filter(({ deprecated }) => deprecated);
  const constants = types.enums.flatMap(({ fullName, values }) =>
    values.filter(({ deprecated }) => deprecated).map(({ name }) => texts.constant(fullName, name)),
  );
  return [...symbols.map(({ fullName }) => texts.typeName(fullName)), ...constants];
}

/** Types of literals that Go would give another one. */
const converted: ReadonlySet<string> = new Set(['float32', 'int32', 'int64', 'uint32', 'uint64']);

function pointerTo(type: string, value: Expression): Expression {
  if (typeof value !== 'string' && value.open === `${type}{`) return { ...value, open: `&${value.open}` };
  return call('svc.Pointer', [converted.has(type) ? `${type}(${printFlat(value)})` : value]);
}

function scalar(kind: string, value: JsonValue): Expression {
  if (kind === 'string') return stringLiteral(textOf(value));
  if (kind === 'bytes') return bytesLiteral(bytesOf(textOf(value)));
  if (kind === 'bool') return value === true ? 'true' : 'false';
  if (kind === 'double' || kind === 'float') {
    const number = Number(value);
    return Number.isFinite(number) ? floatLiteral(number) : '0.0';
  }
  return /^-?\d+$/.test(textOf(value)) ? textOf(value) : '0';
}

/** Never taken for an integer. */
function floatLiteral(number: number): string {
  const text = String(number);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function wellKnown(kind: string, value: JsonValue): Expression {
  switch (kind) {
    case 'Any':
      return goJson(value, 'svc.Any');
    case 'Duration':
      return { open: 'svc.Duration{', items: durationParts(textOf(value)), close: '}' };
    case 'Empty':
      return { open: '&svc.Empty{', items: [], close: '}' };
    case 'FieldMask': {
      const paths = textOf(value).split(',').filter(Boolean);
      const snake = paths.map((path) => path.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
      return {
        open: 'svc.FieldMask{',
        items: snake.map((path) => ({ value: stringLiteral(path) })),
        close: '}',
      };
    }
    case 'ListValue':
    case 'Struct':
    case 'Value':
      return goJson(value);
    case 'NullValue':
      return { open: 'svc.NullValue{', items: [], close: '}' };
    case 'Timestamp':
      return timestamp(textOf(value));
    default:
      return scalar(kind.replace(/Value$/, '').toLowerCase(), value);
  }
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** `time.Date(2026, time.January, 31, 9, 30, 0, 0, time.UTC)` */
function timestamp(text: string): Expression {
  const [, year = '', month = '', ...rest] =
    /^(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+)(?:\.(\d+))?Z$/.exec(text) ?? [];
  const [day = '1', hour = '0', minute = '0', second = '0', fraction = ''] = rest;
  const numbers = [day, hour, minute, second, nanosOf(fraction)].map((digits) => String(Number(digits)));
  const monthName = months[Number(month) - 1] ?? 'January';
  return call('time.Date', [String(Number(year)), `time.${monthName}`, ...numbers, 'time.UTC']);
}

function durationParts(text: string): Item[] {
  const [, sign = '', seconds = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?s$/.exec(text) ?? [];
  const parts = [
    { key: 'Seconds', digits: seconds },
    { key: 'Nanos', digits: nanosOf(fraction) },
  ];
  return parts
    .filter(({ digits }) => digits !== '0')
    .map(({ key, digits }) => ({ key, value: `${sign}${digits}` }));
}

/** A JSON value as Go. */
function goJson(value: JsonValue, objectType = 'map[string]any'): Expression {
  if (value === null) return 'nil';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return stringLiteral(value);
  if (typeof value === 'number') return floatLiteral(value);
  if (Array.isArray(value))
    return { open: '[]any{', items: value.map((item) => ({ value: goJson(item) })), close: '}' };
  const items = Object.entries(value).map(([key, item]) => ({
    key: stringLiteral(key),
    value: goJson(item),
  }));
  return { open: `${objectType}{`, items, close: '}' };
}

function mapKey(field: FieldModel, key: string): string {
  if (field.mapKey === 'string' || field.mapKey === undefined) return stringLiteral(key);
  if (field.mapKey === 'bool') return key === 'true' ? 'true' : 'false';
  return /^-?\d+$/.test(key) ? key : '0';
}
