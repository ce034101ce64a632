import { createHash } from 'node:crypto';
import { foreignCursor, malformedCursor } from '../errors/execution-errors.ts';

/**
 * Makes cursors of a paged collection. A cursor is opaque and valid only for its own query. It contains the position of the last entry
 * of its page instead of a time or an offset, so entries written between two pages are neither repeated nor skipped.
 *
 * @param query identifies the collection: the tenant and all filters, without the page size
 */
export function pageCursors(query: unknown): {
  write(position: string): string;
  /** @throws ApiError 400 for an invalid cursor and for the cursor of another query */
  read(cursor: string): string;
} {
  const mark = createHash('sha256').update(JSON.stringify(query)).digest('base64url').slice(0, 12);
  return {
    write: (position) => Buffer.from(`${mark}.${position}`).toString('base64url'),
    read: (cursor) => {
      const text = Buffer.from(cursor, 'base64url').toString();
      const [, marked, position] = /^([\w-]{12})\.([\w-]{1,64})$/.exec(text) ?? [];
      if (marked === undefined || position === undefined) throw malformedCursor();
      if (marked !== mark) throw foreignCursor();
      return position;
    },
  };
}
