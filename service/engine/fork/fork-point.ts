import { limits } from '../../../specs/limits.ts';
import { executionNotForkable, forkCheckpointNotFound } from '../../errors/fork-errors.ts';
import type { Database } from '../../store/database.ts';
import { journalPages } from '../../store/journal.ts';
import { decodeEntries } from '../journal/codec.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { applyEntry } from '../journal/fold.ts';
import type { GraphShape } from '../journal/graph-shape.ts';
import { newRunState, type RunState } from '../journal/state.ts';

/** The checkpoint from which a fork continues. */
export interface ForkPoint {
  /** Last row of the history. */
  seq: number;
  /** The fold of the history. */
  state: RunState;
  /** Replaces row 0, if that row both started and ended the run. */
  beginning?: JournalEntry[];
}

const retentionMs = limits.checkpointRetentionDays * 86_400_000;

/**
 * Finds the state from which a fork continues. A terminal checkpoint has nothing to continue, so the fork continues
 * from the checkpoint before it.
 *
 * @param seq row of the checkpoint. Defaults to the latest.
 * @param signal checked before each page of the history
 * @throws ApiError 404 if the checkpoint does not exist or no longer exists; 409 if the run failed before it had an
 *   input
 */
export async function findForkPoint(
  db: Database,
  shape: GraphShape,
  {
    tenantId,
    executionId,
    seq,
    now,
    signal,
  }: {
    tenantId: string;
    executionId: string;
    seq: number | undefined;
    now: number;
    signal: AbortSignal | undefined;
  },
): Promise<ForkPoint> {
  const state = newRunState(executionId);
  let found: { seq: number; at: number } | undefined;
  for await (const rows of journalPages(db, { tenantId, executionId })) {
    signal?.throwIfAborted();
    for (const row of rows) {
      const entries = decodeEntries(row.body);
      const ends = entries.some(({ type }) => type === 'FLOW_COMPLETED' || type === 'FLOW_FAILED');
      if (ends) {
        if ((seq !== undefined && seq !== row.seq) || row.at + retentionMs <= now)
          throw forkCheckpointNotFound();
        return found ? { seq: found.seq, state } : beginningOf(shape, state, entries);
      }
      for (const entry of entries) applyEntry(shape, state, entry);
      found = row;
      if (row.seq === seq) break;
    }
    if (found?.seq === seq) break;
  }
  if (!found || (seq !== undefined && found.seq !== seq) || found.at + retentionMs <= now) {
    throw forkCheckpointNotFound();
  }
  return { seq: found.seq, state };
}

/** Returns the fork point of a run that ended in its first row: the fork begins where the run began. */
function beginningOf(shape: GraphShape, state: RunState, [first, ...rest]: JournalEntry[]): ForkPoint {
  if (first?.type !== 'admitted') throw new Error('the journal does not begin with an admission');
  const started = rest.find((entry) => entry.type === 'NODE_STARTED');
  const admitted = { ...first, ...(started && { input: started.input }) };
  if (!admitted.input) {
    throw executionNotForkable('the run failed before its first node started: invoke the flow again');
  }
  applyEntry(shape, state, admitted);
  return { seq: 0, state, beginning: [admitted] };
}
