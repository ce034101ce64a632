import { createHash } from 'node:crypto';
import { foreignCursor, malformedCursor } from '../errors/execution-errors.ts';

/**
 * Cursors of paged collections: opaque to callers, and good only for the query that they came from. A cursor names the last
 * stored entry of its page, never a time or an offset, so that entries written meanwhile neither repeat nor hide others.
 *
 * @param query what the pages are of: the tenant and every filter, but not the page's size
 */
export function pageCursors(query: unknown): {
  write(position: string): string;
  /** @throws ApiError 400 for text that is no cursor, and for the cursor of another query */
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
