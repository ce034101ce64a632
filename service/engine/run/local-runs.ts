import { dailyCaps } from '../../access/daily-quota.ts';
import type { DailyCaps } from '../../store/commit/run-operation.ts';
import type { Database } from '../../store/database.ts';
import { type ClaimedRun, findClaimableRun } from '../../store/run-claims.ts';
import { readTenant } from '../../store/prepared/read-tenant.ts';
import type { Tenant } from '../../store/tenants.ts';
import type { Tracer } from '../../telemetry/tracer.ts';
import { TransientMap } from '../../transient-map.ts';
import { FairQueue } from '../../work/fair-queue.ts';
import { loopTurns } from '../../work/turn-budget.ts';
import { topicSession } from '../follow/topic-session.ts';
import type { LoadedGraph } from '../graph/loaded-graph.ts';
import type { JournalEntry, RunEnding } from '../journal/entry.ts';
import { type GraphShape, shapeOf } from '../journal/graph-shape.ts';
import type { RunState } from '../journal/state.ts';
import { runEndOf } from '../wait/run-end.ts';
import type { RunWaits } from '../wait/run-waits.ts';
import { ActiveRun, type LeaveReason } from './active-run.ts';
import type { NextActions } from './next-actions.ts';
import type { RunParts } from './run-parts.ts';
import { createRunTrace, type RunTrace } from './run-trace.ts';
import { takeOver, type TakeOverOptions } from './take-over.ts';

interface LocalRunsOptions {
  db: Database;
  replica: string;
  parts: RunParts;
  graphs: { load(tenantId: string, graphId: string): Promise<LoadedGraph | undefined> };
  /** Absent without a trace collector. */
  tracer?: Tracer | undefined;
  waits: () => Pick<RunWaits, 'paused' | 'ended' | 'left'>;
  /** Called when something other than the run has failed, so that the run must be claimed again. */
  onInterrupted: (run: { tenantId: string; executionId: string }) => void;
}

/** A committed run, and what this process needs to continue it. */
export interface AdmittedRun {
  state: RunState;
  /** Makes decisions on `state`. */
  actions: NextActions;
  /** Entries of the committed row. */
  first: JournalEntry[];
  /** Entries that follow and are not yet committed. */
  pending: JournalEntry[];
  /** Sequence number of the next row. */
  seq: number;
  caps: DailyCaps;
}

/**
 * Maximum open steps of a run that continues immediately after a takeover. A wide run, which has more of them, waits
 * in a queue, because it may have hundreds of calls to repeat.
 */
const stepsAtOnce = 10;

/** Maximum time that a wide run waits for its turn, in milliseconds. After that, it is claimed again. */
const waitMs = 3_600_000;

interface TakeUpOptions extends Pick<TakeOverOptions, 'decide' | 'claims' | 'invocations' | 'onCommit'> {
  /** Called when the run is taken over but must wait for its turn to continue. */
  onWait?: () => void;
}

/** The runs that this process works on, and the ways to add one. */
export class LocalRuns {
  /** By execution id. */
  readonly active = new TransientMap<string, ActiveRun>();
  readonly #options: LocalRunsOptions;
  readonly #shapes = new WeakMap<LoadedGraph, GraphShape>();
  /**
   * Queue of the wide runs that were taken over. Tenants take turns, so that no run waits for all runs of another
   * tenant.
   */
  readonly #line: FairQueue;
  #stopped = false;

  constructor(options: LocalRunsOptions) {
    this.#options = options;
    this.#line = new FairQueue({ clock: options.parts.clock, slots: 1 });
  }

  /** Leaves wide runs that wait for their turn to other replicas. */
  stop(): void {
    this.#stopped = true;
  }

  /** Continues a run that was just admitted. */
  activate(
    tenant: Tenant,
    loaded: LoadedGraph,
    { state, actions, first, pending, seq, caps }: AdmittedRun,
  ): void {
    const { executionId } = state;
    // The response to the admission was late, and the recovery has already picked up the run.
    if (this.active.has(executionId)) return;
    const { parts } = this.#options;
    const trace = this.begin(tenant, loaded, { state, first });
    // If the engine has closed in the meantime, the run is left to other replicas.
    if (parts.isClosed()) return;
    const run = new ActiveRun({
      parts,
      tenantId: tenant.id,
      loaded,
      state,
      actions,
      seq,
      caps,
      epoch: 0,
      trace,
      onPause: (pauseId) => this.#options.waits().paused(executionId, pauseId),
      onLeave: this.#onLeave(tenant.id, executionId),
    });
    this.active.set(executionId, run);
    run.activate(pending);
  }

  /** Publishes the first row of a newly admitted run, and returns the trace that begins with it. */
  begin(
    tenant: Tenant,
    loaded: LoadedGraph,
    { state, first }: Pick<AdmittedRun, 'state' | 'first'>,
  ): RunTrace | undefined {
    const trace = this.#traceOf(tenant, loaded, state);
    trace?.committed(first);
    const { events } = this.#options.parts;
    const { executionId, debugSessionId } = state;
    events.stored(executionId);
    if (debugSessionId !== undefined) events.stored(topicSession(tenant.id, debugSessionId));
    return trace;
  }

  /**
   * Publishes the end of a run that was committed on behalf of another run. `state` is the fold of the journal,
   * including that row.
   */
  concluded(
    tenant: Tenant,
    loaded: LoadedGraph,
    { state, entries, end }: { state: RunState; entries: readonly JournalEntry[]; end: RunEnding },
  ): void {
    const { executionId } = state;
    const active = this.active.get(executionId);
    if (active) {
      active.conclude(entries, end);
      return;
    }
    this.#traceOf(tenant, loaded, state)?.committed(entries);
    this.#options.parts.events.stored(executionId);
    this.#options.waits().ended(executionId, runEndOf(end));
  }

  /** Takes over a run and adds it to the active runs. Resolves with `undefined` if there is nothing to continue. */
  async takeUp(
    claimed: ClaimedRun,
    { decide, claims, invocations, onCommit, onWait }: TakeUpOptions = {},
  ): Promise<ActiveRun | undefined> {
    const { tenantId, executionId, graphId, epoch } = claimed;
    const present = this.active.get(executionId);
    if (present && (claims || present.epoch >= epoch)) return undefined;
    // Another replica has taken over the run in the meantime, and given it up.
    present?.lose();
    const { db, parts, replica, graphs, waits } = this.#options;
    const [loaded, tenant] = await Promise.all([graphs.load(tenantId, graphId), readTenant(db, tenantId)]);
    if (!loaded || !tenant) throw new Error(`graph ${graphId} of execution ${executionId} does not exist`);
    const run = await takeOver({
      db,
      parts,
      replica,
      claimed,
      loaded,
      shape: this.shapeOf(loaded),
      caps: dailyCaps(tenant),
      traceOf: (state) => this.#traceOf(tenant, loaded, state),
      decide,
      claims: claims ?? false,
      invocations,
      onCommit,
      onPause: (pauseId) => waits().paused(executionId, pauseId),
      onLeave: this.#onLeave(tenantId, executionId),
    });
    if (!run) return undefined;
    // A caller waits until its decision is accepted, so decisions do not queue behind all runs of their tenant that
    // were taken over.
    const group = claims ? `decisions of ${tenantId}` : tenantId;
    // A run that the takeover has ended has no calls to repeat. It is still returned, so that its waiters are
    // notified.
    if (!run.state.end && !(await this.#isFree(run, claimed, { group, onWait }))) {
      run.drop();
      return undefined;
    }
    // A concurrent claim of this process may have come first. The later claim wins.
    const other = this.active.get(executionId);
    if (other && other.epoch > epoch) {
      run.drop();
      return undefined;
    }
    other?.lose();
    this.active.set(executionId, run);
    return run;
  }

  /** Reports whether the calls of a run that was taken over may be repeated now. A wide run first waits for its turn. */
  async #isFree(
    run: ActiveRun,
    claimed: ClaimedRun,
    { group, onWait }: { group: string; onWait: (() => void) | undefined },
  ): Promise<boolean> {
    const { db, parts, onInterrupted } = this.#options;
    const { tenantId, executionId, epoch } = claimed;
    if (run.state.active.size > stepsAtOnce) {
      // The run may have been cancelled or claimed again while it waited.
      const isOurs = async (): Promise<boolean> => (await findClaimableRun(db, claimed))?.epoch === epoch + 1;
      onWait?.();
      try {
        if (!(await this.#inTurn(group, isOurs))) return false;
      } catch (error) {
        // The takeover is committed, and so is the decision that it may contain.
        parts.logger.error(
          { err: error, execution: executionId },
          'a run could not be taken up and will be retried',
        );
        onInterrupted({ tenantId, executionId });
        return false;
      }
    }
    // If the engine has closed in the meantime, it has released its runs to other replicas.
    return !parts.isClosed();
  }

  /**
   * Runs the checks of wide runs one at a time. Runs that are taken over at the same time are committed together, and
   * each repeats its calls once its check resolves.
   */
  #inTurn(group: string, check: () => Promise<boolean>): Promise<boolean> {
    const checkNext = async (): Promise<boolean> => {
      if (this.#stopped) return false;
      await loopTurns.queue();
      return check();
    };
    const deadlineMs = this.#options.parts.clock.now() + waitMs;
    return this.#line.run(group, checkNext, { accepted: true, deadlineMs });
  }

  /** Returns the shape of a graph, which is computed once. */
  shapeOf(loaded: LoadedGraph): GraphShape {
    let shape = this.#shapes.get(loaded);
    if (!shape) this.#shapes.set(loaded, (shape = shapeOf(loaded)));
    return shape;
  }

  #onLeave(tenantId: string, executionId: string): (reason: LeaveReason, state: RunState) => void {
    const { waits, onInterrupted } = this.#options;
    return (reason, { end }) => {
      // A later takeover by this process may have replaced the run.
      if (this.active.get(executionId)?.hasLeft) this.active.delete(executionId);
      if (reason === 'interrupted') onInterrupted({ tenantId, executionId });
      if (reason === 'ended') waits().ended(executionId, end && runEndOf(end));
      else waits().left(executionId);
    };
  }

  #traceOf(tenant: Tenant, loaded: LoadedGraph, state: RunState): RunTrace | undefined {
    const { tracer } = this.#options;
    return tracer && createRunTrace({ tracer, tenant: tenant.handle, loaded, state });
  }
}
