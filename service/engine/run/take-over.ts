import { readJournal, journalPage } from '../../store/journal.ts';
import type { Database } from '../../store/database.ts';
import type { ClaimedRun } from '../../store/run-claims.ts';
import type { LoadedGraph } from '../graph/loaded-graph.ts';
import { applyEntry } from './fold.ts';
import { type GraphShape, shapeOf } from './graph-shape.ts';
import { decodeEntries } from './journal-codec.ts';
import { createLiveRun, type LiveRun, type LiveRunOptions } from './live-run.ts';
import { createNextActions } from './next-actions.ts';
import { loadedBytes, loadPayloads } from './payload.ts';
import type { RunParts } from './run-parts.ts';
import { newRunState, type RunState } from './run-state.ts';
import type { RunTrace } from './run-trace.ts';

export interface TakeOverOptions extends Pick<LiveRunOptions, 'caps' | 'onLeave'> {
  db: Database;
  parts: RunParts;
  replica: string;
  claimed: ClaimedRun;
  loaded: LoadedGraph;
  shape: GraphShape;
  /** Begins the run's spans where the journal stands. */
  traceOf?: (state: RunState) => RunTrace | undefined;
  /** Ends it with the row that takes it over, so that a run which waits for a later time is not put aside again before. */
  cancel?: boolean;
}

/** Rows that the former owner may still slip in before it meets the fence. */
const attempts = 20;

/**
 * Goes on with a claimed run: reads its journal and appends that it was taken over, so that whatever its former owner still
 * writes finds its place taken. What was under way is to be asked again (`resume`): calls are at least once.
 *
 * @returns `undefined`: the run is over, another replica was faster, or it waits for a later time
 */
export async function takeOver({
  db,
  parts,
  replica,
  claimed,
  loaded,
  shape,
  caps,
  traceOf,
  cancel = false,
  onLeave,
}: TakeOverOptions): Promise<LiveRun | undefined> {
  const { tenantId, executionId, epoch } = claimed;
  /** What nodes added to it stands compiled in the journal, so that it means the same again. */
  const graphOf = async ({ growth }: RunState): Promise<{ loaded: LoadedGraph; shape: GraphShape }> => {
    if (growth.length === 0) return { loaded, shape };
    const grown = await parts.growth.grow(loaded, growth);
    return { loaded: grown, shape: shapeOf(grown) };
  };
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const { state, seq, epoch: latest } = await readState(db, shape, claimed);
    if (state.end || latest > epoch) return undefined;
    await loadPayloads(state, ({ blob }) => parts.blobs.read(tenantId, executionId, blob));
    const graph = await graphOf(state);
    const { clock, ids } = parts;
    const actions = createNextActions({
      graph: graph.loaded,
      shape: graph.shape,
      state,
      ids,
      now: () => clock.now(),
    });
    const run = createLiveRun({
      parts,
      tenantId,
      loaded: graph.loaded,
      state,
      actions,
      seq,
      caps,
      trace: traceOf?.(state),
      onLeave,
    });
    run.actions.note({ type: 'taken_over', replica, epoch });
    if (cancel) run.actions.cancel();
    else if (state.steps === 0) run.actions.start(state.input ? loadedBytes(state.input) : new Uint8Array());
    if (await run.commitNow()) return run.hasLeft() ? undefined : run;
    run.drop();
  }
  return undefined;
}

/** State by the journal, the place of its next row, and the latest claim that stands there. */
async function readState(
  db: Database,
  shape: GraphShape,
  { tenantId, executionId }: ClaimedRun,
): Promise<{ state: RunState; seq: number; epoch: number }> {
  const state = newRunState(executionId);
  let seq = 0;
  let epoch = 0;
  for (;;) {
    const rows = await readJournal(db, tenantId, executionId, seq);
    for (const entry of rows.flatMap(({ body }) => decodeEntries(body))) {
      if (entry.type === 'taken_over') epoch = Math.max(epoch, entry.epoch);
      applyEntry(shape, state, entry);
    }
    seq += rows.length;
    if (rows.length < journalPage) return { state, seq, epoch };
  }
}
