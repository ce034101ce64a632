import type { Tx } from './database.ts';
import { columnNames, defineTable, fromRow, integer, nullable, text } from './table.ts';

/** Output frames of a split stream that were stored together. */
export interface SplitChunk {
  tenantId: string;
  streamId: string;
  /** Index of the first frame. */
  firstFrame: number;
  /** The messages as JSON, one per line. Null if they are in a blob. */
  body: string | null;
  /** Name of the blob. */
  blob: string | null;
}

export const splitChunks = defineTable<SplitChunk>('split_chunks', {
  tenantId: text(),
  streamId: text(),
  firstFrame: integer(),
  body: nullable(text()),
  blob: nullable(text()),
});

/** Returns the chunk that contains a frame. */
export async function findChunk(
  tx: Tx,
  { tenantId, id }: { tenantId: string; id: string },
  frame: number,
): Promise<SplitChunk | undefined> {
  const row = (await tx(splitChunks.name)
    .select(columnNames(splitChunks))
    .where({ tenant_id: tenantId, stream_id: id })
    .where('first_frame', '<=', frame)
    .orderBy('first_frame', 'desc')
    .first()) as Record<string, unknown> | undefined;
  return row && fromRow(splitChunks, row);
}
