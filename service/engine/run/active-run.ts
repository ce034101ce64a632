import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { quotaExceeded } from '../../errors/flow-errors.ts';
import type { DailyCaps, Transition } from '../../store/commit/run-operation.ts';
import type { LoadedGraph } from '../graph/loaded-graph.ts';
import { encodeEntries } from '../journal/codec.ts';
import type { JournalEntry, RunEnding } from '../journal/entry.ts';
import type { RunState } from '../journal/state.ts';
import type { NextActions } from './next-actions.ts';
import { parkUntil, pauseWakesAt } from './park-until.ts';
import { RunGraph } from './run-graph.ts';
import type { RunParts } from './run-parts.ts';
import type { RunTrace } from './run-trace.ts';
import { StepRunner } from './step-runner.ts';
import { StepTimers } from './step-timers.ts';
import { reportRunEnd } from './report-run-end.ts';
import { indexChanges, overQuota, type RunIdentity } from './transition.ts';
import { writeWithRetries } from './write-with-retries.ts';

/** A run to continue, and the parts that it uses. */
export interface ActiveRunOptions {
  parts: RunParts;
  tenantId: string;
  /** The current graph, with the mutations of the run. */
  loaded: LoadedGraph;
  /** The fold of the journal so far. The run advances it. */
  state: RunState;
  /** Makes decisions on `state`. */
  actions: NextActions;
  /** Sequence number of the next journal row. */
  seq: number;
  /** The daily caps of the tenant. Branches and mutations draw on them. */
  caps: DailyCaps;
  /** Number of the takeover, 0 for a run that was admitted here. */
  epoch: number;
  /** Absent without a trace collector. */
  trace?: RunTrace | undefined;
  /** Called when a pause of the run is committed. */
  onPause: (pauseId: string) => void;
  /** Called once, unless the run is dropped. */
  onLeave: (reason: LeaveReason, state: RunState) => void;
}

/** Further parts of a commit: the claim of a takeover, and units of the invocations quota. */
type CommitExtras = Pick<Transition, 'claim' | 'invocations'>;

/**
 * Why a run leaves this process:
 * - `ended`: it has ended;
 * - `parked`: it waits for a later time, when any replica may claim it;
 * - `fenced`: another replica has taken it over;
 * - `interrupted`: something other than the run failed, and the run must be claimed again.
 */
export type LeaveReason = 'ended' | 'parked' | 'fenced' | 'interrupted';

/** How long logs and progress are gathered before they are committed, in milliseconds. Transitions do not wait. */
const gatherMs = 20;
const drainPollMs = 5;

/** A run that this process works on. Its state is in memory, and each transition appends one row to its journal. */
export class ActiveRun {
  readonly tenantId: string;
  readonly executionId: string;
  readonly state: RunState;
  readonly actions: NextActions;
  readonly epoch: number;
  readonly #parts: RunParts;
  readonly #identity: RunIdentity;
  readonly #caps: DailyCaps;
  readonly #trace: RunTrace | undefined;
  readonly #onPause: ActiveRunOptions['onPause'];
  readonly #onLeave: ActiveRunOptions['onLeave'];
  readonly #steps: StepRunner;
  readonly #timers: StepTimers;
  readonly #aborter = new AbortController();
  #seq: number;
  /** Entries that were decided before the run became active, and are not yet committed. */
  #pending: JournalEntry[] = [];
  #left = false;
  #draining = false;
  #committing = false;
  /** Number of callers that hold the journal. */
  #holders = 0;
  #commitEnd: Promise<void> = Promise.resolve();
  #pauseId: string | undefined;
  #gathering: NodeJS.Timeout | undefined;

  constructor({
    parts,
    tenantId,
    loaded,
    state,
    actions,
    seq,
    caps,
    epoch,
    trace,
    onPause,
    onLeave,
  }: ActiveRunOptions) {
    this.tenantId = tenantId;
    this.executionId = state.executionId;
    this.state = state;
    this.actions = actions;
    this.epoch = epoch;
    this.#parts = parts;
    this.#identity = { tenantId, executionId: state.executionId, graph: loaded.graph };
    this.#caps = caps;
    this.#trace = trace;
    this.#onPause = onPause;
    this.#onLeave = onLeave;
    this.#pauseId = state.pause?.pauseId;
    this.#seq = seq;
    // Every open call listens to the signal, and a run has as many open calls as branches.
    setMaxListeners(0, this.#aborter.signal);
    this.#steps = new StepRunner({
      parts,
      tenantId,
      state,
      actions,
      graph: new RunGraph({ mutations: parts.mutations, tenantId }, loaded),
      signal: this.#aborter.signal,
      hasLeft: () => this.#left,
      onDecided: () => this.pump(),
      onNoted: () => {
        this.#gathering ??= setTimeout(() => this.pump(), gatherMs);
      },
      onError: () => this.#leave('interrupted'),
    });
    this.#timers = new StepTimers(parts.clock, (step) => {
      if (this.#draining) return;
      actions.retry(step);
      actions.checkPause();
      this.#watchPause();
      this.pump();
    });
  }

  /**
   * The committed pause that waits for a decision. Undefined as soon as the commit of its end starts, so that it
   * never contradicts the database.
   */
  get waitingPause(): string | undefined {
    const { pause: waiting, end } = this.state;
    return end === undefined && waiting?.pauseId === this.#pauseId ? this.#pauseId : undefined;
  }

  /** Reports whether the run has left this process. */
  get hasLeft(): boolean {
    return this.#left;
  }

  /**
   * Continues once the admission or the takeover is committed: dispatches the steps that it started.
   *
   * @param pending entries that follow from it and are not yet committed
   */
  activate(pending: readonly JournalEntry[] = []): void {
    if (this.#left) return;
    if (this.state.end && pending.length === 0) {
      this.#leave('ended');
      return;
    }
    this.#pending = [...pending];
    const later = new Set(pending.map((entry) => ('step' in entry ? entry.step : undefined)));
    for (const { step, retryAt } of this.state.active.values()) {
      if (retryAt !== undefined) this.#timers.set(step, retryAt);
      else if (!later.has(step)) this.#dispatch(step);
    }
    this.#watchPause();
    if (pending.length === 0) this.#proceed();
    this.pump();
  }

  /**
   * Starts a commit of the entries that `actions` holds. If a commit is in progress, its end starts the next one.
   * Commits nothing while a caller holds the journal.
   */
  pump(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    if (this.#committing || this.#left || this.#holders > 0) return;
    const entries = [...this.#pending, ...this.actions.take()];
    this.#pending = [];
    if (entries.length === 0) return;
    this.#committing = true;
    this.#commitEnd = this.#commit(entries)
      .then((written) => {
        this.#committing = false;
        if (this.#left) return;
        if (!written) this.#leave('fenced');
        else this.#afterCommit(written);
      })
      .catch((error: unknown) => {
        this.#parts.logger.error(
          { err: error, execution: this.executionId },
          'a run was interrupted and will be resumed',
        );
        this.#leave('interrupted');
      });
  }

  /** Commits the decisions made so far. Resolves once they are committed, or the run has left this process. */
  async flush(): Promise<void> {
    this.pump();
    await this.#commitEnd;
    // A commit in progress may have begun before the last decision. Its end has started the next commit.
    await this.#commitEnd;
  }

  /**
   * Suspends commits while `work` runs, so that `work` can append to the journal. Decisions made in the meantime are
   * committed afterwards.
   */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.#holders += 1;
    try {
      await this.#commitEnd;
      return await work();
    } finally {
      this.#holders -= 1;
      this.pump();
    }
  }

  /** Ends the run with a row that another party has committed. Uncommitted decisions are dropped. */
  conclude(entries: readonly JournalEntry[], end: RunEnding): void {
    if (this.#left) return;
    this.state.end = end;
    this.#trace?.committed(entries);
    this.#parts.events.stored(this.executionId);
    this.#leave('ended');
  }

  /**
   * Commits the entries that `actions` holds as one row.
   *
   * @param extras further parts of the same commit
   * @returns false if another replica has taken over the run
   * @throws ApiError 429 if the quota has too few invocations left; nothing is committed
   */
  async commitNow(extras: CommitExtras = {}): Promise<boolean> {
    return (await this.#commit(this.actions.take(), extras)) !== undefined;
  }

  /** Starts no further steps. Resolves once no call is open and every response is committed. */
  async drain(): Promise<void> {
    this.#draining = true;
    while (!this.#left && (this.#steps.openCalls > 0 || this.#committing)) await pause(drainPollMs);
  }

  /**
   * Leaves the run, which this replica no longer owns according to the database. Does nothing during a commit, which
   * detects the loss itself and may be the one that ended the run.
   */
  loseUnlessCommitting(): void {
    if (!this.#committing) this.lose();
  }

  /** Leaves the run to the replica that has taken it over. */
  lose(): void {
    this.#leave('fenced');
  }

  /** Abandons the run without a journal entry. */
  drop(): void {
    this.#left = true;
    clearTimeout(this.#gathering);
    this.#timers.clear();
    if (this.#steps.openCalls > 0) this.#aborter.abort();
  }

  #leave(reason: LeaveReason): void {
    if (this.#left) return;
    this.drop();
    this.#onLeave(reason, this.state);
  }

  /** @returns the entries as written; `undefined` if another replica has taken the run over */
  async #commit(entries: JournalEntry[], extras: CommitExtras = {}): Promise<JournalEntry[] | undefined> {
    const { tenantId, executionId, state, actions } = this;
    const { blobs, clock, events, isClosed } = this.#parts;
    // Computed before the first await: decisions made during the commit are in the state, but not among these
    // entries.
    const releaseUntil = actions.isInterrupted
      ? undefined
      : parkUntil(state, clock.now() + this.#parts.parkAfterMs);
    const body = await encodeEntries(entries, (bytes) => blobs.put(tenantId, executionId, bytes));
    const transition: Transition = {
      kind: 'append',
      tenantId,
      executionId,
      seq: this.#seq,
      body,
      at: entries.at(-1)?.at ?? clock.now(),
      ...indexChanges(this.#identity, { seq: this.#seq, entries }),
      caps: this.#caps,
      ...(releaseUntil === undefined ? {} : { releaseUntil }),
      ...extras,
    };
    const outcome = await writeWithRetries(this.#parts, transition, () => this.#left || isClosed());
    if (outcome.kind === 'over_quota' && outcome.quota === 'invocations') {
      throw quotaExceeded('invocations', { cap: outcome.cap, now: clock.now() });
    }
    if (outcome.kind === 'over_quota') {
      // Entries decided during the commit are dropped too: the branches that they end are still open in the index.
      return this.#commit(overQuota(state, [...entries, ...actions.take()], outcome.cap), extras);
    }
    if (outcome.kind !== 'done') return undefined;
    this.#seq += 1;
    reportRunEnd(this.#parts, this.#identity, entries);
    this.#trace?.committed(entries);
    events.stored(executionId);
    this.#announcePause(entries);
    // A run that was cancelled during the commit stays until its end is committed.
    if (releaseUntil !== undefined && !state.end) this.#leave('parked');
    return entries;
  }

  /** Wakes the run when its pause escalates or expires. */
  #watchPause(): void {
    const next = pauseWakesAt(this.state);
    if (next !== undefined && this.state.pause) this.#timers.set(this.state.pause.step, next);
  }

  #announcePause(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      if (entry.type !== 'HITL_PAUSED') continue;
      this.#pauseId = entry.pauseId;
      // The pause may have ended in the same row.
      if (this.waitingPause !== undefined) this.#onPause(entry.pauseId);
    }
  }

  #afterCommit(entries: readonly JournalEntry[]): void {
    if (entries.some(({ type }) => type === 'FLOW_COMPLETED' || type === 'FLOW_FAILED')) {
      this.#leave('ended');
      return;
    }
    for (const entry of entries) {
      if (entry.type === 'NODE_STARTED' || entry.type === 'NODE_RETRY_STARTED') this.#dispatch(entry.step);
      if (entry.type === 'NODE_RETRY_SCHEDULED') this.#timers.set(entry.step, entry.nextAttemptAt ?? 0);
      if (entry.type === 'HITL_PAUSED') this.#watchPause();
    }
    this.#proceed();
    this.pump();
  }

  /** Continues an interrupted decision. The commit between its parts has given other work a turn. */
  #proceed(): void {
    if (!this.#draining) this.#steps.proceed();
  }

  #dispatch(step: number): void {
    const active = this.state.active.get(step);
    if (!active || active.retryAt !== undefined || active.asks || this.#draining) return;
    this.#steps.start(active);
  }
}
