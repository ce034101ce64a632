import type { EnumValueModel, FieldModel } from '../../../specs/messages/message-model.ts';
import type { JsonValue } from '../../model/sdk-model.ts';
import { type GivenField, textOf } from '../../samples/sample-json.ts';
import { durationParts } from '../../samples/sample-times.ts';
import {
  type Entry,
  type IntegerScalar,
  type JsonType,
  protoPath,
  SampleWriter,
} from '../../samples/sample-writer.ts';
import { typesIn } from './imports.ts';
import { measured } from './layout.ts';
import type { Call, Expression, Measured } from './layout.ts';
import type { TypeTexts } from './type-texts.ts';

/** An expression for a sample value, and the imports that it needs. */
interface SampleValue {
  expression: Measured;
  /** Simple names of types. */
  types: ReadonlySet<string>;
}

/** Writes ProtoJSON samples as Java. */
export class SampleValues extends SampleWriter<Expression> {
  readonly #texts: TypeTexts;

  constructor(texts: TypeTexts) {
    super(texts.types);
    this.#texts = texts;
  }

  /** Returns a sample of an input or output. */
  ofRoot(fullName: string, sample: JsonValue): SampleValue {
    const expression = measured(this.value(this.types.rootType(fullName), sample));
    return { expression, types: typesIn([expression.flat], this.#texts.typeNames) };
  }

  protected override string(text: string): Expression {
    return { string: text };
  }

  /** `Bytes.ofUtf8("ship")` for printable ASCII. */
  protected override bytes(bytes: Uint8Array, base64: string): Expression {
    const text = String.fromCharCode(...bytes);
    return /^[\x20-\x7e]*$/.test(text)
      ? { callee: 'Bytes.ofUtf8', args: [{ string: text }] }
      : { callee: 'Bytes.ofBase64', args: [{ string: base64 }] };
  }

  protected override float(number: number, scalar: 'double' | 'float'): string {
    const text = Number.isFinite(number) ? String(number).replace('e+', 'e') : '0';
    return `${/[.e]/.test(text) ? text : `${text}.0`}${scalar === 'float' ? 'f' : ''}`;
  }

  protected override integer(digits: string, scalar: IntegerScalar): Expression {
    if (scalar === 'int32') return digits;
    if (scalar !== 'uint64') return `${digits}L`;
    return digits.length < 19
      ? { callee: 'BigInteger.valueOf', args: [digits] }
      : { callee: 'new BigInteger', args: [{ string: digits }] };
  }

  protected override enumValue(
    fullName: string,
    declared: EnumValueModel | undefined,
    value: JsonValue,
  ): Expression {
    const name = this.#texts.typeName(fullName);
    if (declared && !declared.deprecated)
      return { type: name, constant: this.#texts.valueName(fullName, declared.name) };
    return { callee: `${name}.of`, args: [{ string: textOf(value) }] };
  }

  protected override message(fullName: string, given: readonly GivenField[]): Expression {
    const links = given.flatMap(({ field, value }): Call[] =>
      field.deprecated
        ? []
        : [{ callee: this.#texts.fieldName(fullName, field.name), args: [this.field(field, value)] }],
    );
    return {
      head: `${this.#texts.typeName(fullName)}.builder()`,
      links: [...links, { callee: 'build', args: [] }],
    };
  }

  protected override list(_: FieldModel, items: readonly Expression[]): Expression {
    return { callee: 'List.of', args: items };
  }

  protected override map(_: FieldModel, entries: readonly Entry<Expression>[]): Expression {
    return {
      callee: 'Map.of',
      args: entries.slice(0, mostEntries).flatMap(({ key, value }) => [key, value]),
    };
  }

  protected override json(value: JsonValue, type: JsonType): Expression {
    return { callee: `${jsonClasses[type]}.parse`, args: [{ string: JSON.stringify(value) }] };
  }

  protected override duration(text: string): Expression {
    const { sign, seconds, nanos } = durationParts(text);
    const whole = `${sign}${Number(seconds) > 2 ** 31 - 1 ? `${seconds}L` : seconds}`;
    return { callee: 'Duration.ofSeconds', args: nanos === '0' ? [whole] : [whole, `${sign}${nanos}`] };
  }

  protected override timestamp(text: string): Expression {
    return { callee: 'Instant.parse', args: [{ string: text }] };
  }

  protected override fieldMask(paths: readonly string[]): Expression {
    return { callee: 'FieldMask.of', args: paths.map((path) => ({ string: protoPath(path) })) };
  }

  protected override empty(): string {
    return 'new Empty()';
  }

  protected override nullValue(): string {
    return 'JsonNull.INSTANCE';
  }
}

/** `Map.of` accepts at most ten entries. */
const mostEntries = 10;

const jsonClasses: Readonly<Record<JsonType, string>> = {
  Any: 'JsonObject',
  ListValue: 'JsonArray',
  Struct: 'JsonObject',
  Value: 'JsonValue',
};
