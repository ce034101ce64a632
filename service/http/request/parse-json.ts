import type { Family } from '../../../specs/operations/operation.ts';
import { invalidBody } from '../../errors/request-errors.ts';

/**
 * Whether a text may have a number that is too large, or the key `__proto__`, perhaps with escapes. A reviver for every body would
 * be slow. An exponent of two digits is too large only after 210 digits.
 */
const mayLose = /[eE]\+?\d{3}|(?<!\d)\d{210}|__proto__|\\u00[5-7]/;

function refuseLosses(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('the key "__proto__" is not allowed');
  if (value === Infinity || value === -Infinity) {
    throw new SyntaxError(`a number is too large: at most ${Number.MAX_VALUE}`);
  }
  return value;
}

/**
 * @throws ApiError 400 for a body that is empty, not UTF-8 or not JSON, for the key `__proto__`, which shapes would drop silently,
 * and for a number that would become null
 */
export function parseJson(bytes: Uint8Array, family: Family): unknown {
  if (bytes.length === 0) throw invalidBody(family, 'it is empty, a JSON object is required');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return JSON.parse(text, mayLose.test(text) ? refuseLosses : undefined) as unknown;
  } catch (error) {
    throw invalidBody(family, error instanceof SyntaxError ? error.message : 'it is not valid UTF-8');
  }
}
