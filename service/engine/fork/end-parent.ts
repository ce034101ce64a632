import type { Database } from '../../store/database.ts';
import type { ParentEnd } from '../../store/commit/run-operation.ts';
import { encodeEntries } from '../journal/codec.ts';
import type { JournalEntry, RunEnding } from '../journal/entry.ts';
import type { GraphShape } from '../journal/graph-shape.ts';
import { readState } from '../journal/read-state.ts';
import type { RunState } from '../journal/state.ts';
import { createFactLog } from '../run/fact-log.ts';
import type { RunParts } from '../run/run-parts.ts';
import { forkedTo } from '../run/run-texts.ts';
import { indexChanges, type RunIdentity } from '../run/transition.ts';

/** The next row of an open parent, which ends it. */
export interface EndedParent {
  row: ParentEnd;
  entries: JournalEntry[];
  end: RunEnding;
  /** The fold of the journal, including the row. */
  state: RunState;
}

/** Builds the row that ends a forked run. Returns `undefined` if the run has already ended. */
export async function endOfParent(
  db: Database,
  parts: Pick<RunParts, 'ids' | 'clock'>,
  { run, shape }: { run: RunIdentity; shape: GraphShape },
  { child, checkpoint }: { child: string; checkpoint: number },
): Promise<EndedParent | undefined> {
  const { state, seq } = await readState(db, shape, run);
  if (state.end) return undefined;
  const facts = createFactLog({
    state,
    shape: () => shape,
    ids: parts.ids,
    now: () => parts.clock.now(),
  });
  facts.add({ type: 'FORKED', child, checkpoint });
  facts.end({ status: 'FORKED', message: forkedTo(child) });
  const entries = facts.take();
  const end = entries.find((entry) => entry.type === 'FLOW_FAILED');
  if (!end) throw new Error('the end of a forked run is missing');
  const { ends, pauses } = indexChanges(run, { seq, entries });
  const body = await encodeEntries(entries, () => Promise.reject(new Error('an end has no large message')));
  const row = { executionId: run.executionId, seq, body, at: end.at, ends, ...(pauses && { pauses }) };
  return { row, entries, end, state };
}
