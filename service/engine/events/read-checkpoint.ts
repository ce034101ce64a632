import type { Database } from '../../store/database.ts';
import { journalPage, readJournal } from '../../store/journal.ts';
import type { LoadedGraph } from '../graph/loaded-graph.ts';
import { applyEntry } from '../run/fold.ts';
import { shapeOf } from '../run/graph-shape.ts';
import { decodeEntries } from '../run/journal-codec.ts';
import type { NodeCompleted } from '../run/journal-entry.ts';
import { newRunState, type RunState } from '../run/run-state.ts';

/** Where a run stood after one row of its journal (DESIGN.md 7). Nothing of it is stored: it is the fold of the rows. */
export interface Checkpoint {
  seq: number;
  /** When the row was written, epoch milliseconds. */
  at: number;
  reason: 'step' | 'terminal';
  /** Canvas id of the node that the row tells of last. */
  node: string | undefined;
  state: RunState;
  /** Steps that had completed, in that order. */
  completed: NodeCompleted[];
}

/** @returns `undefined`: the journal has no such row, or is no longer kept */
export async function readCheckpoint(
  db: Database,
  loaded: LoadedGraph,
  { tenantId, executionId, seq }: { tenantId: string; executionId: string; seq: number },
): Promise<Checkpoint | undefined> {
  const shape = shapeOf(loaded);
  const state = newRunState(executionId);
  const completed: NodeCompleted[] = [];
  let node: string | undefined;
  for (let from = 0; from <= seq; from += journalPage) {
    const rows = await readJournal(db, tenantId, executionId, from);
    for (const row of rows) {
      for (const entry of decodeEntries(row.body)) {
        applyEntry(shape, state, entry);
        if ('node' in entry) node = entry.node;
        if (entry.type === 'NODE_COMPLETED') completed.push(entry);
      }
      if (row.seq === seq) {
        return { seq, at: row.at, reason: state.end ? 'terminal' : 'step', node, state, completed };
      }
    }
    // Whoever asks chooses the number: a journal is not looked through beyond its end.
    if (rows.length < journalPage) return undefined;
  }
  return undefined;
}
