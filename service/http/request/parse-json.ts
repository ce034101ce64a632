import type { Family } from '../../../specs/operations/operation.ts';
import { invalidBody } from '../../errors/request-errors.ts';

/** Whether a text may have the key `__proto__`, perhaps with escapes. A reviver for every body would be slow. */
const mayHavePrototype = /__proto__|\\u00[5-7]/;

function withoutPrototype(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('the key "__proto__" is not allowed');
  return value;
}

/** @throws ApiError 400 for a body that is empty, not UTF-8 or not JSON, and for the key `__proto__`, which shapes would drop silently */
export function parseJson(bytes: Uint8Array, family: Family): unknown {
  if (bytes.length === 0) throw invalidBody(family, 'it is empty, a JSON object is required');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return JSON.parse(text, mayHavePrototype.test(text) ? withoutPrototype : undefined) as unknown;
  } catch (error) {
    throw invalidBody(family, error instanceof SyntaxError ? error.message : 'it is not valid UTF-8');
  }
}
