import type { Database } from '../../store/database.ts';
import { journalPages } from '../../store/journal.ts';
import type { LoadedGraph } from '../graph/loaded-graph.ts';
import { applyEntry } from '../journal/fold.ts';
import { shapeOf } from '../journal/graph-shape.ts';
import { decodeEntries } from '../journal/codec.ts';
import type { NodeCompleted } from '../journal/entry.ts';
import { newRunState, type RunState } from '../journal/state.ts';

/** State of a run after one row of its journal. It is folded from the rows and not stored. */
export interface Checkpoint {
  seq: number;
  /** When the row was written, epoch milliseconds. */
  at: number;
  reason: 'step' | 'pause' | 'terminal' | 'fork';
  /** The pause that the row opened. */
  pauseId: string | undefined;
  /** Id of the last node in the row. */
  node: string | undefined;
  state: RunState;
  /** Completed steps, in order. */
  completed: NodeCompleted[];
}

/**
 * Reads the state of a run after row `seq`.
 *
 * @returns `undefined` if the journal has no such row, or has been deleted
 */
export async function readCheckpoint(
  db: Database,
  loaded: LoadedGraph,
  { tenantId, executionId, seq }: { tenantId: string; executionId: string; seq: number },
): Promise<Checkpoint | undefined> {
  const shape = shapeOf(loaded);
  const state = newRunState(executionId);
  const completed: NodeCompleted[] = [];
  let node: string | undefined;
  for await (const rows of journalPages(db, { tenantId, executionId })) {
    for (const row of rows) {
      let pauseId: string | undefined;
      let forked = false;
      for (const entry of decodeEntries(row.body)) {
        applyEntry(shape, state, entry);
        if ('node' in entry) node = entry.node;
        if (entry.type === 'fork_began') forked = true;
        if (entry.type === 'HITL_PAUSED') pauseId = entry.pauseId;
        if (entry.type === 'NODE_COMPLETED') completed.push(entry);
      }
      if (row.seq === seq) {
        const opened = forked ? 'fork' : pauseId === undefined ? 'step' : 'pause';
        const reason = state.end ? 'terminal' : opened;
        return { seq, at: row.at, reason, pauseId, node, state, completed };
      }
    }
  }
  return undefined;
}
