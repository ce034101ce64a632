import type { EnumValueModel, FieldModel } from '../../../specs/messages/message-model.ts';
import { mayBeAbsent } from '../../model/presence.ts';
import type { JsonValue, SdkModel } from '../../model/sdk-model.ts';
import { type GivenField, textOf } from '../../samples/sample-json.ts';
import { calendarParts, durationParts } from '../../samples/sample-times.ts';
import {
  type Entry,
  floatLiteral,
  type JsonType,
  protoPath,
  SampleWriter,
} from '../../samples/sample-writer.ts';
import type { Expression, Item } from './expressions.ts';
import { call, printExpression, printFlat } from './expressions.ts';
import { bytesLiteral, quotedLiteral, stringLiteral } from './literals.ts';
import { mapKeyOf, type TypeTexts } from './type-texts.ts';

/** An expression for a sample value, and the imports that it needs. */
export interface SampleValue {
  /** As the value of a variable within a function: `input := ...`. */
  text: string;
  usesSvc: boolean;
  usesTime: boolean;
  /** Whether it names a type or constant that is deprecated. */
  usesDeprecated: boolean;
}

/** Types that Go does not infer from a literal. */
const literalTypes: ReadonlySet<string> = new Set(['any', 'float32', 'int32', 'int64', 'uint32', 'uint64']);

/** Writes ProtoJSON samples as Go. */
export class SampleValues extends SampleWriter<Expression> {
  readonly #texts: TypeTexts;
  /** How a program qualifies names of the package: `acmetext.`. */
  readonly #within: string;
  /** Deprecated types and constants, as programs write them: `acmetext.OldOrder`. */
  readonly #deprecated: ReadonlySet<string>;

  constructor(model: SdkModel, texts: TypeTexts, within: string) {
    super(texts.types);
    this.#texts = texts;
    this.#within = within;
    this.#deprecated = new Set(deprecatedNames(model, texts).map((name) => `${within}${name}`));
  }

  /** Returns a sample of an input or output. */
  ofRoot(fullName: string, sample: JsonValue): SampleValue {
    const type = this.#texts.types.rootType(fullName);
    const printed = printExpression(this.value(type, sample), 1, 'input := '.length);
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

  protected override string(text: string): string {
    return stringLiteral(text);
  }

  protected override bytes(bytes: Uint8Array): string {
    return bytesLiteral(bytes);
  }

  protected override integer(digits: string): string {
    return digits;
  }

  protected override float(number: number): string {
    return Number.isFinite(number) ? floatLiteral(number) : '0.0';
  }

  protected override enumValue(
    fullName: string,
    declared: EnumValueModel | undefined,
    value: JsonValue,
  ): string {
    if (declared) return `${this.#within}${this.#texts.valueName(fullName, declared.name)}`;
    return `${this.#within}${this.#texts.typeName(fullName)}(${quotedLiteral(textOf(value))})`;
  }

  protected override message(fullName: string, given: readonly GivenField[]): Expression {
    const items = given.map(({ field, value }): Item => ({
      key: this.#texts.fieldName(fullName, field.name),
      value: this.field(field, value),
    }));
    return { open: `&${this.#within}${this.#texts.typeName(fullName)}{`, items, close: '}' };
  }

  protected override field(field: FieldModel, value: JsonValue): Expression {
    const expression = super.field(field, value);
    const { type, isNilable } = this.#texts.of(field.type, this.#within);
    return mayBeAbsent(field) && !isNilable ? pointerTo(type, expression) : expression;
  }

  /** Returns an element. The literal of a list or map states its element type, so elements need not repeat it. */
  protected override element(field: FieldModel, value: JsonValue): Expression {
    const expression = this.value(field.type, value);
    if (typeof expression === 'string') return expression;
    const { type } = this.#texts.of(field.type, this.#within);
    const repeatsType = expression.open === `${type}{` || expression.open === `&${type.slice(1)}{`;
    if (!repeatsType) return expression;
    return { ...expression, open: '{' };
  }

  protected override list(field: FieldModel, items: readonly Expression[]): Expression {
    const { type } = this.#texts.of(field.type, this.#within);
    return { open: `[]${type}{`, items: items.map((value) => ({ value })), close: '}' };
  }

  protected override map(field: FieldModel, entries: readonly Entry<Expression>[]): Expression {
    const { type } = this.#texts.of(field.type, this.#within);
    return {
      open: `map[${mapKeyOf(field).type}]${type}{`,
      items: entries.map(({ key, value }) => ({ key: printFlat(key), value })),
      close: '}',
    };
  }

  protected override json(value: JsonValue, type: JsonType): Expression {
    return type === 'Any' ? goJson(value, 'svc.Any') : goJson(value);
  }

  protected override duration(text: string): Expression {
    const { sign, seconds, nanos } = durationParts(text);
    const items = [
      { key: 'Seconds', digits: seconds },
      { key: 'Nanos', digits: nanos },
    ]
      .filter(({ digits }) => digits !== '0')
      .map(({ key, digits }) => ({ key, value: `${sign}${digits}` }));
    return { open: 'svc.Duration{', items, close: '}' };
  }

  /** `time.Date(2026, time.January, 31, 9, 30, 0, 0, time.UTC)` */
  protected override timestamp(text: string): Expression {
    const { date, nanos } = calendarParts(text);
    const [year = '', month = '', ...rest] = date;
    const monthName = months[Number(month) - 1] ?? 'January';
    return call('time.Date', [year, `time.${monthName}`, ...rest, nanos, 'time.UTC']);
  }

  protected override fieldMask(paths: readonly string[]): Expression {
    const items = paths.map((path) => ({ value: stringLiteral(protoPath(path)) }));
    return { open: 'svc.FieldMask{', items, close: '}' };
  }

  protected override empty(): Expression {
    return { open: '&svc.Empty{', items: [], close: '}' };
  }

  protected override nullValue(): Expression {
    return { open: 'svc.NullValue{', items: [], close: '}' };
  }
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

function deprecatedNames({ types }: SdkModel, texts: TypeTexts): string[] {
  const symbols = [...types.messages, ...types.enums].filter(({ deprecated }) => deprecated);
  const constants = types.enums.flatMap(({ fullName, values }) =>
    values.filter(({ deprecated }) => deprecated).map(({ name }) => texts.valueName(fullName, name)),
  );
  return [...symbols.map(({ fullName }) => texts.typeName(fullName)), ...constants];
}

/** Types that Go does not infer from a number. */
const converted: ReadonlySet<string> = new Set(['float32', 'int32', 'int64', 'uint32', 'uint64']);

function pointerTo(type: string, value: Expression): Expression {
  if (typeof value !== 'string' && value.open === `${type}{`) return { ...value, open: `&${value.open}` };
  return call('svc.Pointer', [converted.has(type) ? `${type}(${printFlat(value)})` : value]);
}

/** Returns a JSON value as Go. */
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
