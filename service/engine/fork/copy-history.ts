import type { Database } from '../../store/database.ts';
import { addJournalRows, journalPages } from '../../store/journal.ts';
import { decodeEntries, encodeEntries } from '../journal/codec.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { applyEntry } from '../journal/fold.ts';
import type { GraphShape } from '../journal/graph-shape.ts';
import { blobsOf, loadPayloads } from '../journal/payload.ts';
import { newRunState, type RunState } from '../journal/state.ts';
import type { RunParts } from '../run/run-parts.ts';
import { copyEntry } from './copy-entry.ts';
import type { ForkPoint } from './fork-point.ts';

interface CopyOptions {
  db: Database;
  parts: Pick<RunParts, 'blobs' | 'ids' | 'probe'>;
  shape: GraphShape;
  /** Checked before each page of the history. */
  signal: AbortSignal | undefined;
}

/**
 * Stores the history of a fork: the rows of its parent's journal up to the checkpoint, and their blobs. Nothing
 * refers to the fork before its admission is committed, so leftovers of a fork that is not admitted are never read.
 *
 * @returns the state of the fork, with the messages that it continues from
 */
export async function copyHistory(
  { db, parts, shape, signal }: CopyOptions,
  { tenantId, executionId: parent }: { tenantId: string; executionId: string },
  child: string,
  point: ForkPoint,
): Promise<RunState> {
  const { blobs, ids, probe } = parts;
  const branches = new Map([[parent, child]]);
  for (const branch of point.state.branches) branches.set(branch, ids.executionId());
  const options = { state: point.state, branches, newId: () => ids.ulid() };
  const state = newRunState(child);
  const copied = new Set<string>();

  const copyBlobs = async (entries: readonly JournalEntry[]): Promise<void> => {
    for (const { blob } of entries.flatMap(blobsOf)) {
      if (copied.has(blob)) continue;
      copied.add(blob);
      await blobs.put(tenantId, child, await blobs.read(tenantId, parent, blob));
    }
  };

  for await (const page of journalPages(db, { tenantId, executionId: parent })) {
    signal?.throwIfAborted();
    const rows = [];
    for (const { seq, body, at } of page) {
      if (seq > point.seq) break;
      const original = (seq === 0 ? point.beginning : undefined) ?? decodeEntries(body);
      const entries = original.flatMap((entry) => copyEntry(entry, options) ?? []);
      await copyBlobs(entries);
      rows.push({
        seq,
        at,
        body: await encodeEntries(entries, (bytes) => blobs.put(tenantId, child, bytes)),
      });
      for (const entry of entries) applyEntry(shape, state, entry);
    }
    const step = page[0]?.seq ?? 0;
    await probe?.('before_copy', { executionId: child, step });
    await addJournalRows(db.knex, { tenantId, executionId: child }, rows);
    await probe?.('after_copy', { executionId: child, step });
    if (rows.length < page.length) break;
  }
  await loadPayloads(state, ({ blob }) => blobs.read(tenantId, parent, blob));
  return state;
}
