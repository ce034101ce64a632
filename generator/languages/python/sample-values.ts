import type { EnumValueModel, FieldModel } from '../../../specs/messages/message-model.ts';
import type { JsonValue } from '../../model/sdk-model.ts';
import { type GivenField, textOf } from '../../samples/sample-json.ts';
import { calendarParts, durationParts, epochParts, signedParts } from '../../samples/sample-times.ts';
import { type Entry, floatLiteral, protoPath, SampleWriter } from '../../samples/sample-writer.ts';
import type { Expression, Item } from './expressions.ts';
import { call, printFlat } from './expressions.ts';
import { bytesLiteral, stringLiteral } from './literals.ts';
import type { TypeTexts } from './type-texts.ts';

/** An expression for a sample value, and the imports that it needs. */
interface SampleValue {
  expression: Expression;
  /** Names of the package's top level: `Timestamp`; sorted. */
  imports: string[];
  /** Names of the module `datetime`. */
  times: string[];
}

const NANOS_PER_MICRO = 1_000;

/** Writes ProtoJSON samples as Python. */
export class SampleValues {
  readonly #texts: TypeTexts;

  constructor(texts: TypeTexts) {
    this.#texts = texts;
  }

  /** Returns a sample of an input or output. */
  ofRoot(fullName: string, sample: JsonValue): SampleValue {
    return new PythonSample(this.#texts).root(fullName, sample);
  }
}

/** Writes one sample and collects its imports. */
class PythonSample extends SampleWriter<Expression> {
  readonly #texts: TypeTexts;
  readonly #imports = new Set<string>();
  readonly #times = new Set<string>();

  constructor(texts: TypeTexts) {
    super(texts.types);
    this.#texts = texts;
  }

  root(fullName: string, sample: JsonValue): SampleValue {
    const expression = this.value(this.types.rootType(fullName), sample);
    return { expression, imports: [...this.#imports].sort(), times: [...this.#times] };
  }

  protected override string(text: string): string {
    return stringLiteral(text);
  }

  protected override bytes(bytes: Uint8Array): string {
    return bytesLiteral(bytes);
  }

  protected override boolean(value: boolean): string {
    return value ? 'True' : 'False';
  }

  protected override integer(digits: string): string {
    return digits;
  }

  protected override float(number: number): string {
    if (Number.isFinite(number)) return floatLiteral(number);
    return `float("${String(number).replace('Infinity', 'inf').toLowerCase()}")`;
  }

  protected override enumValue(
    fullName: string,
    declared: EnumValueModel | undefined,
    value: JsonValue,
  ): Expression {
    this.#imports.add('messages');
    const name = `messages.${this.#texts.typeName(fullName)}`;
    if (declared) return `${name}.${this.#texts.valueName(fullName, declared.name)}`;
    return call(name, [{ value: typeof value === 'number' ? String(value) : stringLiteral(textOf(value)) }]);
  }

  protected override message(fullName: string, given: readonly GivenField[]): Expression {
    this.#imports.add('messages');
    const items = given.map(({ field, value }): Item => ({
      label: `${this.#texts.fieldName(fullName, field.name)}=`,
      value: this.field(field, value),
    }));
    return call(`messages.${this.#texts.typeName(fullName)}`, items);
  }

  protected override list(_: FieldModel, items: readonly Expression[]): Expression {
    return listExpression(items);
  }

  protected override map(_: FieldModel, entries: readonly Entry<Expression>[]): Expression {
    const items = entries.map(({ key, value }) => ({ label: `${printFlat(key)}: `, value }));
    return { open: '{', items, close: '}' };
  }

  protected override json(value: JsonValue): Expression {
    return jsonExpression(value);
  }

  protected override duration(text: string): Expression {
    const [seconds, nanos] = signedParts(durationParts(text));
    this.#imports.add('Duration');
    if (Number(nanos) % NANOS_PER_MICRO !== 0)
      return call('Duration', [{ value: seconds }, { value: nanos }]);
    this.#times.add('timedelta');
    const micros = Number(nanos) / NANOS_PER_MICRO;
    const isWholeMs = micros % 1_000 === 0;
    const rest = isWholeMs ? `${micros / 1_000}` : `${micros}`;
    const span = call('timedelta', [
      { label: 'seconds=', value: seconds },
      ...(micros === 0 ? [] : [{ label: isWholeMs ? 'milliseconds=' : 'microseconds=', value: rest }]),
    ]);
    return call('Duration.from_timedelta', [{ value: span }]);
  }

  protected override timestamp(text: string): Expression {
    const { date, nanos } = calendarParts(text);
    this.#imports.add('Timestamp');
    if (Number(nanos) % NANOS_PER_MICRO !== 0)
      return call('Timestamp', [{ value: epochParts(text)[0] }, { value: nanos }]);
    for (const name of ['datetime', 'timezone']) this.#times.add(name);
    const micros = Number(nanos) / NANOS_PER_MICRO;
    const clock = [...date, `${micros}`];
    // Seconds and microseconds are left out from the end if they are 0.
    while (clock.length > 5 && clock.at(-1) === '0') clock.pop();
    const moment = call('datetime', [
      ...clock.map((value) => ({ value })),
      { label: 'tzinfo=', value: 'timezone.utc' },
    ]);
    return call('Timestamp.from_datetime', [{ value: moment }]);
  }

  protected override fieldMask(paths: readonly string[]): Expression {
    this.#imports.add('FieldMask');
    return call('FieldMask', [
      { value: listExpression(paths.map((path) => stringLiteral(protoPath(path)))) },
    ]);
  }

  protected override empty(): string {
    this.#imports.add('Empty');
    return 'Empty()';
  }

  protected override nullValue(): string {
    this.#imports.add('NullValue');
    return 'NullValue.NULL_VALUE';
  }
}

/** Returns a JSON value as Python. */
export function jsonExpression(value: JsonValue): Expression {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return stringLiteral(value);
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return listExpression(value.map(jsonExpression));
  const items = Object.entries(value).map(([key, item]) => ({
    label: `${stringLiteral(key)}: `,
    value: jsonExpression(item),
  }));
  return { open: '{', items, close: '}' };
}

function listExpression(items: readonly Expression[]): Expression {
  return { open: '[', items: items.map((value) => ({ value })), close: ']' };
}
