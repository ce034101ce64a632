import { isInt64, isUint64 } from './value.ts';
import type { Value } from './value.ts';

/** A number of any kind: exact when an integer. */
export type AnyNumber = bigint | number;

/** The number that a value is; undefined when it is none. Texts are not numbers here, even when they spell one. */
export function numberOf(value: Value): AnyNumber | undefined {
  switch (value.kind) {
    case 'int64':
    case 'uint64':
      return value.value;
    case 'int32':
    case 'uint32':
      return BigInt(value.value);
    case 'double':
    case 'float':
      return value.value;
    default:
      return undefined;
  }
}

/** The number that a text spells in decimal, exact when an integer; undefined when it spells none. */
export function parseNumber(text: string): AnyNumber | undefined {
  const trimmed = text.trim();
  if (trimmed.length > maxDigits) return undefined;
  if (/^[+-]?\d+$/.test(trimmed)) return BigInt(trimmed.replace(/^\+/, ''));
  if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(trimmed)) return Number(trimmed);
  return /^([+-]?Infinity|NaN)$/.test(trimmed) ? Number(trimmed) : undefined;
}

/** More than any number of 64 bits is written with; big integers take the square of their digits to read. */
const maxDigits = 400;

/**
 * A number as a value: an integer of 64 bits while it fits, signed if it can be, and otherwise a double, which is how numbers
 * leave exactness in every transform.
 */
export function valueOfNumber(number: AnyNumber): Value {
  if (typeof number === 'number') return { kind: 'double', value: number };
  if (isInt64(number)) return { kind: 'int64', value: number };
  return isUint64(number) ? { kind: 'uint64', value: number } : { kind: 'double', value: Number(number) };
}
