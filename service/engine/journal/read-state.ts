import type { Database } from '../../store/database.ts';
import { journalPages } from '../../store/journal.ts';
import { loopTurns } from '../../work/turn-budget.ts';
import { decodeEntries } from './codec.ts';
import { applyEntry } from './fold.ts';
import type { GraphShape } from './graph-shape.ts';
import { newRunState, type RunState } from './state.ts';

/** Folds the journal of a run. Returns the state, the sequence number of the next row, and the epoch of the latest takeover. */
export async function readState(
  db: Database,
  shape: GraphShape,
  run: { tenantId: string; executionId: string },
): Promise<{ state: RunState; seq: number; epoch: number }> {
  const state = newRunState(run.executionId);
  let seq = 0;
  let epoch = 0;
  for await (const rows of journalPages(db, run)) {
    // Many runs may be read at the same time. The check immediately precedes the work, because otherwise all of them
    // would pass it first.
    if (loopTurns.isSpent()) await loopTurns.queue();
    for (const entry of rows.flatMap(({ body }) => decodeEntries(body))) {
      if (entry.type === 'taken_over') epoch = Math.max(epoch, entry.epoch);
      applyEntry(shape, state, entry);
    }
    seq += rows.length;
  }
  return { state, seq, epoch };
}
