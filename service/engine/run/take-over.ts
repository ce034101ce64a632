import type { Database } from '../../store/database.ts';
import type { ClaimedRun } from '../../store/run-claims.ts';
import type { LoadedGraph } from '../graph/loaded-graph.ts';
import type { GraphShape } from '../journal/graph-shape.ts';
import { loadedBytes, loadPayloads } from '../journal/payload.ts';
import { readState } from '../journal/read-state.ts';
import type { RunState } from '../journal/state.ts';
import { ActiveRun, type ActiveRunOptions } from './active-run.ts';
import { graphOfState } from './graph-of-state.ts';
import { NextActions } from './next-actions.ts';
import type { RunParts } from './run-parts.ts';
import { streamNotResumed } from './run-texts.ts';
import type { RunTrace } from './run-trace.ts';

/** A claimed run, and what this replica needs to continue it. */
export interface TakeOverOptions extends Pick<ActiveRunOptions, 'caps' | 'onPause' | 'onLeave'> {
  db: Database;
  parts: RunParts;
  /** Id of the claiming replica. */
  replica: string;
  claimed: ClaimedRun;
  /** The flow as compiled, and its shape. The journal has the mutations. */
  loaded: LoadedGraph;
  shape: GraphShape;
  /** Continues the run's spans from the folded state. */
  traceOf?: (state: RunState) => RunTrace | undefined;
  /**
   * Makes a decision in the row of the takeover, so that a waiting run is not parked again first. Returns false if
   * there is nothing to decide; the run is then not taken over.
   */
  decide?: ((actions: NextActions) => boolean) | undefined;
  /**
   * Whether the claim with the epoch of `claimed` is committed together with the row. By default, it is already
   * committed.
   */
  claims?: boolean;
  /** Called once the row of the takeover is committed, including the decision in it. */
  onCommit?: (() => void) | undefined;
  /** Units of the invocations quota that the row draws. */
  invocations?: number | undefined;
}

/** Number of rows that the former owner may still append before it hits the fence. */
const maxAttempts = 20;

/**
 * Takes over a claimed run: folds its journal and appends a `taken_over` entry, so that any later write of the former
 * owner finds its row taken. Activating the run then repeats its open calls, because calls are made at least once. A
 * run of a pipeline flow is failed instead, because its frames are gone.
 *
 * @returns `undefined` if the run has ended, another replica was faster, or the run waits for a later time
 * @throws ApiError 429 if the quota has too few invocations left
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
  decide,
  claims = false,
  onCommit,
  invocations,
  onPause,
  onLeave,
}: TakeOverOptions): Promise<ActiveRun | undefined> {
  const { tenantId, executionId, epoch } = claimed;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const { state, seq, epoch: latest } = await readState(db, shape, claimed);
    if (state.end || latest > epoch || (claims && latest === epoch)) return undefined;
    await loadPayloads(state, ({ blob }) => parts.blobs.read(tenantId, executionId, blob));
    const current = await graphOfState(parts.mutations, { graph: loaded, shape }, state);
    const { clock, ids } = parts;
    const run = new ActiveRun({
      parts,
      tenantId,
      loaded: current.graph,
      state,
      actions: new NextActions({ ...current, state, ids, now: () => clock.now() }),
      seq,
      caps,
      epoch,
      trace: traceOf?.(state),
      onPause,
      onLeave,
    });
    run.actions.note({ type: 'taken_over', replica, epoch });
    if (decide) {
      if (!decide(run.actions)) return undefined;
    } else if (loaded.graph.mode === 'pipeline') {
      run.actions.abort({ status: 'FAILED', message: streamNotResumed });
    } else if (state.steps === 0) {
      run.actions.start(state.input ? loadedBytes(state.input) : new Uint8Array());
    } else {
      run.actions.checkPause();
    }
    const extras = {
      ...(claims && { claim: { replica, epoch } }),
      ...(invocations !== undefined && { invocations }),
    };
    let isCommitted = false;
    try {
      isCommitted = await run.commitNow(extras);
    } finally {
      if (!isCommitted) run.drop();
    }
    if (!isCommitted) continue;
    onCommit?.();
    return run.hasLeft ? undefined : run;
  }
  return undefined;
}
