import { limits } from '../../../specs/limits.ts';
import { invalidParameter } from '../../errors/request-errors.ts';

/**
 * Reads the header `X-Timeout-Seconds` of a direct call.
 *
 * @returns milliseconds; `undefined` for the default
 * @throws ApiError 400 for any value except a whole number of seconds within the limit
 */
export function readCallTimeout(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(String(header)) ? Number(header) : 0;
  if (seconds >= 1 && seconds <= limits.maxNodeCallSeconds) return seconds * 1_000;
  throw invalidParameter(
    'node',
    `header X-Timeout-Seconds: must be a whole number of seconds from 1 to ${limits.maxNodeCallSeconds}`,
  );
}
