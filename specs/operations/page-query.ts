import { z } from 'zod';
import { limits } from '../limits.ts';
import { storableText } from './storable-text.ts';

/** Parameters and fields of collections that are read page by page. */

/** Parses a repeatable parameter, which is a string, or an array if it is repeated. */
export const repeatable = <T extends z.ZodType>(one: T) =>
  z.preprocess(
    (given): unknown => (Array.isArray(given) ? given : given === undefined ? [] : [given]),
    z.array(one),
  );

export const pageSize = z
  .string()
  .regex(/^\d{1,9}$/, { error: `must be a whole number from 1 to ${limits.maxPageSize}` })
  .transform(Number)
  .pipe(z.int().min(1).max(limits.maxPageSize))
  .default(limits.pageSize)
  .describe(`Page size, at most ${limits.maxPageSize}.`);

export const nextCursor = z.string().optional().describe('Cursor of the next page. Absent on the last page.');

export const cursor = storableText
  .max(2_048)
  .describe('`next_cursor` of the previous page. The filters must be the same.');
