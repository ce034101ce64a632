import type { EnumValueModel, FieldModel } from '../../../specs/messages/message-model.ts';
import type { JsonValue } from '../../model/sdk-model.ts';
import { type GivenField, textOf } from '../../samples/sample-json.ts';
import { calendarParts, durationParts, epochParts } from '../../samples/sample-times.ts';
import { type Entry, SampleWriter } from '../../samples/sample-writer.ts';
import type { Expression, Item } from './expressions.ts';
import { printFlat } from './expressions.ts';
import { jsonImports } from './json-imports.ts';
import { bytesLiteral, stringLiteral } from './literals.ts';
import { mapKeyOf, type TypeTexts } from './type-texts.ts';

/** An expression for a sample value, and the imports that it needs. */
interface SampleValue {
  expression: Expression;
  /** Namespaces, without `System`. */
  imports: string[];
}

/** Writes ProtoJSON samples as C#. */
export class SampleValues extends SampleWriter<Expression> {
  readonly #texts: TypeTexts;

  constructor(texts: TypeTexts) {
    super(texts.types);
    this.#texts = texts;
  }

  /** Returns a sample of an input or output. */
  ofRoot(fullName: string, sample: JsonValue): SampleValue {
    const expression = this.value(this.types.rootType(fullName), sample);
    const text = printFlat(expression).replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
    return {
      expression,
      imports: [...(/\bDictionary</.test(text) ? ['System.Collections.Generic'] : []), ...jsonImports(text)],
    };
  }

  protected override string(text: string): string {
    return stringLiteral(text);
  }

  protected override bytes(bytes: Uint8Array): string {
    return bytesLiteral(bytes);
  }

  protected override integer(digits: string): string {
    return digits;
  }

  protected override float(number: number, scalar: 'double' | 'float'): string {
    return `${Number.isFinite(number) ? String(number) : '0'}${scalar === 'float' ? 'f' : ''}`;
  }

  protected override enumValue(
    fullName: string,
    declared: EnumValueModel | undefined,
    value: JsonValue,
  ): string {
    const type = this.#texts.typeName(fullName);
    if (declared && !declared.deprecated) return `${type}.${this.#texts.valueName(fullName, declared.name)}`;
    return `new ${type}(${stringLiteral(textOf(value))})`;
  }

  protected override message(fullName: string, given: readonly GivenField[]): Expression {
    const items = given.map(({ field, value }): Item => ({
      key: this.#texts.fieldName(fullName, field.name),
      value: this.field(field, value),
    }));
    return { head: `new ${this.#texts.typeName(fullName)}`, brackets: '{}', items };
  }

  protected override list(_: FieldModel, items: readonly Expression[]): Expression {
    return { head: '', brackets: '[]', items: items.map((value) => ({ value })) };
  }

  protected override map(field: FieldModel, entries: readonly Entry<Expression>[]): Expression {
    return {
      head: `new Dictionary<${mapKeyOf(field).type}, ${this.#texts.of(field.type).type}>`,
      brackets: '{}',
      items: entries.map(({ key, value }) => ({ key: `[${printFlat(key)}]`, value })),
    };
  }

  protected override json(value: JsonValue): Expression {
    return value === null ? 'Value.Null' : jsonNode(value);
  }

  /** `TimeSpan.FromSeconds(1.5)`, or both parts if that would be rounded. */
  protected override duration(text: string): Expression {
    const { sign, seconds, nanos } = durationParts(text);
    if (Number(nanos) % 1_000_000 === 0 && seconds.length < 10)
      return call('TimeSpan.FromSeconds', [
        `${sign}${String(Number(`${seconds}.${nanos.padStart(9, '0')}`))}`,
      ]);
    return call('new Duration', [`${sign}${seconds}`, `${sign}${nanos}`]);
  }

  /** `new DateTimeOffset(2026, 1, 31, 9, 30, 0, TimeSpan.Zero)`, or `new Timestamp(1769851800, 1)` with a fraction. */
  protected override timestamp(text: string): Expression {
    const { date, nanos } = calendarParts(text);
    if (nanos === '0') return call('new DateTimeOffset', [...date, 'TimeSpan.Zero']);
    return call('new Timestamp', epochParts(text));
  }

  protected override fieldMask(paths: readonly string[]): Expression {
    return call('new FieldMask', paths.map(stringLiteral));
  }

  protected override empty(): string {
    return 'new Empty()';
  }

  protected override nullValue(): string {
    return 'default';
  }
}

/** Returns a JSON value as C#. */
function jsonNode(value: JsonValue): Expression {
  if (value === null) return 'null';
  if (typeof value === 'boolean' || typeof value === 'number') return String(value);
  if (typeof value === 'string') return stringLiteral(value);
  if (Array.isArray(value)) {
    // The compiler reads a single null as the array itself.
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
