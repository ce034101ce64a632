import { unknownEventId } from '../../errors/stream-errors.ts';

/**
 * Reads the header `Last-Event-ID`, for streams whose events have their position as their id.
 *
 * @returns undefined without the header, and for an empty one
 * @throws ApiError 400 for text that is not a position
 */
export function readEventId(header: string | string[] | undefined): number | undefined {
  const text = String(header ?? '').trim();
  if (text === '') return undefined;
  if (!/^\d{1,9}$/.test(text)) throw unknownEventId();
  return Number(text);
}
