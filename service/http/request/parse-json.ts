import type { Family } from '../../../specs/operations/operation.ts';
import { invalidBody } from '../../errors/request-errors.ts';

/** @throws ApiError 400 for a body that is empty, not UTF-8 or not JSON */
export function parseJson(bytes: Uint8Array, family: Family): unknown {
  if (bytes.length === 0) throw invalidBody(family, 'it is empty, a JSON object is required');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (error) {
    throw invalidBody(family, error instanceof SyntaxError ? error.message : 'it is not valid UTF-8');
  }
}
