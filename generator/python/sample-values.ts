import type { FieldModel, FieldType } from '../../specs/messages/message-model.ts';
import { bytesOf, entriesOf, givenFields, nanosOf, textOf } from '../model/sample-json.ts';
import type { JsonValue } from '../model/sdk-model.ts';
import { createMemory } from '../remember.ts';
import type { Expression, Item } from './expressions.ts';
import { call } from './expressions.ts';
import { bytesLiteral, stringLiteral } from './literals.ts';
import type { TypeTexts } from './type-texts.ts';

/** An expression for a sample value, and what a program imports from the package to write it. */
export interface SampleValue {
  expression: Expression;
  /** Names of the package's top level: `Timestamp`; sorted. */
  imports: string[];
}

/**
 * Writes ProtoJSON samples as Python. They are made by the generator (`SdkMember.sample`), so they fit their types; what still
 * does not is left out, never guessed.
 */
export class SampleValues {
  readonly #texts: TypeTexts;
  /** README, example and test all show the sample of a member. */
  readonly #made = createMemory<object, SampleValue>();

  constructor(texts: TypeTexts) {
    this.#texts = texts;
  }

  /** A sample of an input or output. */
  ofRoot(fullName: string, sample: JsonValue): SampleValue {
    if (typeof sample !== 'object' || sample === null) return this.#make(fullName, sample);
    return this.#made.recall(sample, fullName, () => this.#make(fullName, sample));
  }

  #make(fullName: string, sample: JsonValue): SampleValue {
    const imports = new Set<string>();
    const expression = this.#value(this.#texts.types.rootType(fullName), sample, imports);
    return { expression, imports: [...imports].sort() };
  }

  #value(type: FieldType, value: JsonValue, imports: Set<string>): Expression {
    switch (type.kind) {
      case 'scalar':
        return scalar(type.scalar, value);
      case 'enum': {
        imports.add('messages');
        const name = `messages.${this.#texts.className(type.fullName)}`;
        const declared = this.#texts.types.enum(type.fullName).values.find((item) => item.name === value);
        if (declared) return `${name}.${this.#texts.value(type.fullName, declared.name)}`;
        return call(name, [
          { value: typeof value === 'number' ? String(value) : stringLiteral(textOf(value)) },
        ]);
      }
      case 'message':
        imports.add('messages');
        return this.#message(type.fullName, value, imports);
      case 'wellKnown':
        return wellKnown(type.wellKnown, value, imports);
    }
  }

  #message(fullName: string, value: JsonValue, imports: Set<string>): Expression {
    const given = givenFields(this.#texts.types.message(fullName), value);
    const items = given.map(({ field, value: item }): Item => {
      const label = `${this.#texts.attribute(fullName, field.name)}=`;
      return { label, value: this.#field(field, item, imports) };
    });
    return call(`messages.${this.#texts.className(fullName)}`, items);
  }

  #field(field: FieldModel, value: JsonValue, imports: Set<string>): Expression {
    if (field.cardinality === 'repeated') {
      const items = Array.isArray(value) ? value : [];
      return {
        open: '[',
        items: items.map((item) => ({ value: this.#value(field.type, item, imports) })),
        close: ']',
      };
    }
    if (field.cardinality !== 'map') return this.#value(field.type, value, imports);
    const items = entriesOf(value).map(([key, item]) => ({
      label: `${mapKey(field, key)}: `,
      value: this.#value(field.type, item, imports),
    }));
    return { open: '{', items, close: '}' };
  }
}

function scalar(kind: string, value: JsonValue): Expression {
  if (kind === 'string') return stringLiteral(textOf(value));
  if (kind === 'bytes') return bytesLiteral(bytesOf(textOf(value)));
  if (kind === 'bool') return value === true ? 'True' : 'False';
  if (kind === 'double' || kind === 'float') return floatLiteral(value);
  return /^-?\d+$/.test(textOf(value)) ? textOf(value) : '0';
}

function wellKnown(kind: string, value: JsonValue, imports: Set<string>): Expression {
  switch (kind) {
    case 'Empty':
    case 'Timestamp':
    case 'Duration':
    case 'FieldMask':
      imports.add(kind);
      return structured(kind, value);
    case 'NullValue':
      imports.add(kind);
      return 'NullValue.NULL_VALUE';
    case 'Any':
    case 'Struct':
    case 'ListValue':
    case 'Value':
      return jsonExpression(value);
    default:
      return scalar(kind.replace(/Value$/, '').toLowerCase(), value);
  }
}

function structured(kind: string, value: JsonValue): Expression {
  if (kind === 'Empty') return 'Empty()';
  if (kind === 'FieldMask') {
    const paths = textOf(value).split(',').filter(Boolean);
    const snake = paths.map((path) => path.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    const list = { open: '[', items: snake.map((path) => ({ value: stringLiteral(path) })), close: ']' };
    return call(kind, [{ value: list }]);
  }
  const args = kind === 'Timestamp' ? timestampParts(textOf(value)) : durationParts(textOf(value));
  return call(
    kind,
    args.filter((part, index) => index === 0 || part !== '0').map((part) => ({ value: part })),
  );
}

function timestampParts(text: string): string[] {
  const [, second = '', fraction = ''] = /^([^.Z]+)(?:\.(\d+))?Z$/.exec(text) ?? [];
  return [String(Math.floor(Date.parse(`${second}Z`) / 1000)), nanosOf(fraction)];
}

function durationParts(text: string): string[] {
  const [, sign = '', seconds = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?s$/.exec(text) ?? [];
  const signed = (digits: string): string => (digits === '0' ? digits : `${sign}${digits}`);
  return [signed(seconds), signed(nanosOf(fraction))];
}

/** A JSON value as Python. */
export function jsonExpression(value: JsonValue): Expression {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return stringLiteral(value);
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value))
    return { open: '[', items: value.map((item) => ({ value: jsonExpression(item) })), close: ']' };
  const items = Object.entries(value).map(([key, item]) => ({
    label: `${stringLiteral(key)}: `,
    value: jsonExpression(item),
  }));
  return { open: '{', items, close: '}' };
}

function floatLiteral(value: JsonValue): string {
  const number = Number(value);
  if (!Number.isFinite(number)) return `float("${String(number).replace('Infinity', 'inf').toLowerCase()}")`;
  const text = String(number);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function mapKey(field: FieldModel, key: string): string {
  if (field.mapKey === 'string' || field.mapKey === undefined) return stringLiteral(key);
  if (field.mapKey === 'bool') return key === 'true' ? 'True' : 'False';
  return /^-?\d+$/.test(key) ? key : '0';
}
