import { isInt64, isUint64 } from './value.ts';
import type { Value } from './value.ts';

/** A number of any kind. Integers are exact. */
export type AnyNumber = bigint | number;

/** Returns the number of a numeric value. Strings are not numeric. */
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

/** Rounds a number to a 32-bit float. Returns `undefined` for a finite number that is out of its range. */
export function floatOf(number: AnyNumber): number | undefined {
  const rounded = Math.fround(Number(number));
  return Number.isFinite(rounded) || !Number.isFinite(Number(number)) ? rounded : undefined;
}

/** Parses a decimal number. Integers are exact. */
export function parseNumber(text: string): AnyNumber | undefined {
  const trimmed = text.trim();
  if (trimmed.length > maxDigits) return undefined;
  if (/^[+-]?\d+$/.test(trimmed)) return BigInt(trimmed.replace(/^\+/, ''));
  if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(trimmed)) return Number(trimmed);
  return /^([+-]?Infinity|NaN)$/.test(trimmed) ? Number(trimmed) : undefined;
}

/** Longer than any 64-bit number. Parsing a big integer takes quadratic time in its digits. */
const maxDigits = 400;

/**
 * Converts a number to a value: a signed 64-bit integer if it fits, else an unsigned one, else a double. Every transform that computes
 * numbers uses this rule.
 */
export function valueOfNumber(number: AnyNumber): Value {
  if (typeof number === 'number') return { kind: 'double', value: number };
  if (isInt64(number)) return { kind: 'int64', value: number };
  return isUint64(number) ? { kind: 'uint64', value: number } : { kind: 'double', value: Number(number) };
}
