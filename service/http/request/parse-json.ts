import { parseExactJson } from '../../../specs/exact-json.ts';
import { LargeNumber } from '../../../specs/large-number.ts';
import type { Family } from '../../../specs/operations/operation.ts';
import { invalidBody } from '../../errors/request-errors.ts';

/**
 * Matches text that may contain a number that is too large, or the key `__proto__`, perhaps with escapes.
 * Most bodies need no further check. A number with a two-digit exponent is too large only if it has at least
 * 210 digits.
 */
const mayLose = /[eE]\+?\d{3}|(?<!\d)\d{210}|__proto__|\\u00[5-7]/;

/**
 * Parses a body. Numbers that a double rounds are `LargeNumber`.
 *
 * @param messages paths of messages, as an operation declares them
 * @throws ApiError 400 for a body that is empty, not UTF-8 or not JSON, for the key `__proto__` outside of messages, which shapes would
 * drop silently, and for a number that would become null
 */
export function parseJson(bytes: Uint8Array, family: Family, messages: readonly string[] = []): unknown {
  if (bytes.length === 0) throw invalidBody(family, 'it is empty, a JSON object is required');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value = parseExactJson(text);
    if (mayLose.test(text)) refuseLosses(value, { path: '', inMessage: false }, messages);
    return value;
  } catch (error) {
    throw invalidBody(family, error instanceof SyntaxError ? error.message : 'it is not valid UTF-8');
  }
}

interface Place {
  /** For example `sources[].sample`. */
  path: string;
  /** A message may have any key. */
  inMessage: boolean;
}

/** Recursion is as deep as the body nests, which is bounded when the body is read. */
function refuseLosses(value: unknown, { path, inMessage }: Place, messages: readonly string[]): void {
  if (value instanceof LargeNumber && !Number.isFinite(value.rounded())) {
    throw new SyntaxError(`a number is too large: at most ${Number.MAX_VALUE}`);
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (key === '__proto__' && !inMessage) throw new SyntaxError('the key "__proto__" is not allowed');
    const inside = Array.isArray(value) ? `${path}[]` : path === '' ? key : `${path}.${key}`;
    const place = { path: inside, inMessage: inMessage || messages.includes(inside) };
    refuseLosses(child, place, messages);
  }
}
