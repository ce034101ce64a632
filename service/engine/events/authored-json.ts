import { parseExactJson } from '../../../specs/exact-json.ts';
import { jsonValue } from '../../../specs/operations/json-value.ts';
import type { Json } from '../../errors/api-error.ts';

/**
 * Parses JSON text of a node. Numbers beyond 2^53 keep their digits.
 *
 * @returns undefined if the text is not JSON, or nests deeper than 100 levels: values with several thousand levels can be parsed
 *   but not written again
 */
export function parseAuthoredJson(text: string): { value: Json } | undefined {
  try {
    const value = parseExactJson(text) as Json;
    return jsonValue.safeParse(value).success ? { value } : undefined;
  } catch {
    return undefined;
  }
}
