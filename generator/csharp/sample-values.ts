import type { FieldModel, FieldType } from '../../specs/messages/message-model.ts';
import { bytesOf, entriesOf, givenFields, nanosOf, textOf } from '../model/sample-json.ts';
import type { JsonValue } from '../model/sdk-model.ts';
import { createMemory } from '../remember.ts';
import type { Expression, Item } from './expressions.ts';
import { bytesLiteral, stringLiteral } from './literals.ts';
import { mapKeyOf, type TypeTexts } from './type-texts.ts';
import { printFlat } from './expressions.ts';

/** An expression for a sample value, and what a program imports to write it. */
export interface SampleValue {
  expression: Expression;
  /** Namespaces, `System` left out. */
  imports: string[];
}

/** By the sample and the names of all types that it reaches: members of a published package show the same one in every client. */
const made = createMemory<object, SampleValue>();

/**
 * Writes ProtoJSON samples as C#. They are made by the generator (`SdkMember.sample`), so they fit their types; what still does
 * not is left out, never guessed.
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
    const expression = this.#value(this.#texts.types.rootType(fullName), sample);
    const text = printFlat(expression).replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
    return {
      expression,
      imports: [
        ...(/\bDictionary</.test(text) ? ['System.Collections.Generic'] : []),
        ...(/\bJson(Object|Array)\b/.test(text) ? ['System.Text.Json.Nodes'] : []),
      ],
    };
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
    const declared = this.#texts.types.enum(fullName).values.find(({ name }) => name === value);
    const type = this.#texts.typeName(fullName);
    if (declared && !declared.deprecated) return `${type}.${this.#texts.valueName(fullName, declared.name)}`;
    return `new ${type}(${stringLiteral(textOf(value))})`;
  }

  #message(fullName: string, value: JsonValue): Expression {
    const given = givenFields(this.#texts.types.message(fullName), value);
    const items = given.map(({ field, value: item }): Item => ({
      key: this.#texts.fieldName(fullName, field.name),
      value: this.#field(field, item),
    }));
    return { head: `new ${this.#texts.typeName(fullName)}`, brackets: '{}', items };
  }

  #field(field: FieldModel, value: JsonValue): Expression {
    if (field.cardinality === 'repeated') {
      const items = Array.isArray(value) ? value : [];
      return {
        head: '',
        brackets: '[]',
        items: items.map((item) => ({ value: this.#value(field.type, item) })),
      };
    }
    if (field.cardinality === 'map')
      return {
        head: `new Dictionary<${mapKeyOf(field).type}, ${this.#texts.of(field.type).type}>`,
        brackets: '{}',
        items: entriesOf(value).map(([key, item]) => ({
          key: `[${mapKey(field, key)}]`,
          value: this.#value(field.type, item),
        })),
      };
    return this.#value(field.type, value);
  }
}

function scalar(kind: string, value: JsonValue): Expression {
  if (kind === 'string') return stringLiteral(textOf(value));
  if (kind === 'bytes') return bytesLiteral(bytesOf(textOf(value)));
  if (kind === 'bool') return value === true ? 'true' : 'false';
  if (kind === 'double' || kind === 'float') {
    const number = Number(value);
    return `${Number.isFinite(number) ? String(number) : '0'}${kind === 'float' ? 'f' : ''}`;
  }
  return /^-?\d+$/.test(textOf(value)) ? textOf(value) : '0';
}

function wellKnown(kind: string, value: JsonValue): Expression {
  switch (kind) {
    case 'Any':
    case 'ListValue':
    case 'Struct':
    case 'Value':
      return value === null ? 'Value.Null' : jsonNode(value);
    case 'Duration':
      return duration(textOf(value));
    case 'Empty':
      return 'new Empty()';
    case 'FieldMask': {
      const paths = textOf(value).split(',').filter(Boolean);
      return call('new FieldMask', paths.map(stringLiteral));
    }
    case 'NullValue':
      return 'default';
    case 'Timestamp':
      return timestamp(textOf(value));
    default:
      return scalar(kind.replace(/Value$/, '').toLowerCase(), value);
  }
}

/** `new Timestamp(1769851800)`; `new DateTimeOffset(2026, 1, 31, 9, 30, 0, TimeSpan.Zero)` says more where it can. */
function timestamp(text: string): Expression {
  const [, year = '1970', month = '1', day = '1', hour = '0', minute = '0', second = '0', fraction = ''] =
    /^(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+)(?:\.(\d+))?Z$/.exec(text) ?? [];
  if (fraction === '') {
    const parts = [year, month, day, hour, minute, second].map((digits) => String(Number(digits)));
    return call('new DateTimeOffset', [...parts, 'TimeSpan.Zero']);
  }
  const seconds = Date.parse(text.replace(/\.\d+Z$/, 'Z')) / 1000;
  return call('new Timestamp', [String(seconds), nanosOf(fraction)]);
}

/** `TimeSpan.FromSeconds(1.5)`, or both parts where that would be rounded. */
function duration(text: string): Expression {
  const [, sign = '', seconds = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?s$/.exec(text) ?? [];
  if (Number(nanosOf(fraction)) % 1_000_000 === 0 && seconds.length < 10)
    return call('TimeSpan.FromSeconds', [`${sign}${String(Number(`${seconds}.${fraction || '0'}`))}`]);
  return call('new Duration', [`${sign}${seconds}`, `${sign}${nanosOf(fraction)}`]);
}

/** A JSON value as C#. */
function jsonNode(value: JsonValue): Expression {
  if (value === null) return 'null';
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  if (typeof value === 'string') return stringLiteral(value);
  if (Array.isArray(value)) {
    // A single null would be taken for no list at all.
    const items = value.map((item) => (item === null ? '(JsonNode?)null' : jsonNode(item)));
    return call('new JsonArray', items);
  }
  const items = Object.entries(value).map(([key, item]) => ({
    key: `[${stringLiteral(key)}]`,
    value: jsonNode(item),
  }));
  return { head: 'new JsonObject', brackets: '{}', items };
}

function call(head: string, args: readonly Expression[]): Expression {
  return { head, brackets: '()', items: args.map((value) => ({ value })) };
}

function mapKey(field: FieldModel, key: string): string {
  if (field.mapKey === 'string' || field.mapKey === undefined) return stringLiteral(key);
  if (field.mapKey === 'bool') return key === 'true' ? 'true' : 'false';
  return /^-?\d+$/.test(key) ? key : '0';
}
