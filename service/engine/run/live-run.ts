import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { DailyCaps, Transition } from '../../store/hot/run-operation.ts';
import { publishCommitted, publishMemory } from '../events/publish-run.ts';
import type { LoadedGraph } from '../graph/loaded-graph.ts';
import { encodeEntries } from './journal-codec.ts';
import type { JournalEntry } from './journal-entry.ts';
import type { NextActions, StepFailure } from './next-actions.ts';
import { loadedBytes } from './payload.ts';
import { createProgressGate } from './progress-gate.ts';
import { createRetryTimers } from './retry-timers.ts';
import { createRunGrowth } from './run-growth.ts';
import type { RunParts } from './run-parts.ts';
import type { ActiveStep, RunState } from './run-state.ts';
import { internalError } from './run-texts.ts';
import type { RunTrace } from './run-trace.ts';
import { failureOf } from './step-failure.ts';
import { createStepListener, type StepListenerOptions } from './step-listener.ts';
import { indexChanges, overQuota } from './transition.ts';
import { writeSurely } from './write-surely.ts';

export interface LiveRunOptions {
  parts: RunParts;
  tenantId: string;
  loaded: LoadedGraph;
  /** As far as the journal tells; the run brings it forward. */
  state: RunState;
  /** Decides for `state`. */
  actions: NextActions;
  /** Of the next row. */
  seq: number;
  caps: DailyCaps;
  /** Where there is a collector of spans. */
  trace?: RunTrace | undefined;
  onLeave: (how: Leaving, state: RunState) => void;
}

/**
 * Why a run is no longer here: it is over; it waits for a later time, when anybody may take it up; another replica has gone on
 * with it; or something that is not the run's own fault got in the way, and it is to be taken up again.
 */
export type Leaving = 'ended' | 'parked' | 'fenced' | 'interrupted';

/** A run that this process works on: its state is in memory, and each transition is one row appended to its journal. */
export interface LiveRun {
  readonly tenantId: string;
  readonly executionId: string;
  readonly state: RunState;
  readonly actions: NextActions;
  /**
   * Admission or takeover is committed: what it started is dispatched.
   *
   * @param pending entries that follow from it and have yet to be committed
   */
  resume(pending?: readonly JournalEntry[]): void;
  /** Commits what `actions` holds. */
  pump(): void;
  /** Commits what `actions` holds as one row now. `false`: its place is taken. */
  commitNow(): Promise<boolean>;
  /** Whether it is no longer here. */
  hasLeft(): boolean;
  /** Starts nothing more; resolves when no call is under way and what came of them is committed. */
  drain(): Promise<void>;
  /** Another replica has it. */
  lose(): void;
  /** Forgets everything, without a word to the journal. */
  drop(): void;
}

/** Logs and progress wait so long for company, milliseconds; transitions do not wait. */
const gatherMs = 20;
const drainLookMs = 5;

export function createLiveRun({
  parts,
  tenantId,
  loaded,
  state,
  actions,
  seq: firstSeq,
  caps,
  trace,
  onLeave,
}: LiveRunOptions): LiveRun {
  const { executionId } = state;
  const { clock, logger, probe } = parts;
  const identity = { tenantId, executionId, graph: loaded.graph };
  const growth = createRunGrowth({ growth: parts.growth, tenantId }, loaded);
  const aborter = new AbortController();
  // Every call under way listens, and a run has as many as it has branches.
  setMaxListeners(0, aborter.signal);
  let calls = 0;
  let seq = firstSeq;
  let held: JournalEntry[] = [];
  let gone = false;
  let draining = false;
  let committing = false;
  let gathering: NodeJS.Timeout | undefined;

  const timers = createRetryTimers(clock, (step) => {
    if (draining) return;
    actions.retry(step);
    pump();
  });

  const leave = (how: Leaving): void => {
    if (gone) return;
    drop();
    onLeave(how, state);
  };

  const drop = (): void => {
    gone = true;
    clearTimeout(gathering);
    timers.clear();
    if (calls > 0) aborter.abort();
  };

  const pump = (): void => {
    clearTimeout(gathering);
    gathering = undefined;
    if (committing || gone) return;
    const entries = [...held, ...actions.take()];
    held = [];
    if (entries.length === 0) return;
    committing = true;
    commit(entries)
      .then((written) => {
        committing = false;
        if (gone) return;
        if (!written) leave('fenced');
        else afterCommit(written);
      })
      .catch((error: unknown) => {
        logger.error(
          { err: error, execution: executionId },
          'a run was interrupted, it will be taken up again',
        );
        leave('interrupted');
      });
  };

  /** @returns the entries as they were written; `undefined`: another replica has gone on with the run */
  const commit = async (entries: JournalEntry[]): Promise<JournalEntry[] | undefined> => {
    const body = await encodeEntries(entries, (bytes) => parts.blobs.put(tenantId, executionId, bytes));
    const releaseUntil = parkedUntil();
    const transition: Transition = {
      kind: 'append',
      tenantId,
      executionId,
      seq,
      body,
      at: entries.at(-1)?.at ?? clock.now(),
      ...indexChanges(identity, entries),
      caps,
      ...(releaseUntil === undefined ? {} : { releaseUntil }),
    };
    const outcome = await writeSurely(parts, transition, () => gone);
    if (outcome.kind === 'over_quota') {
      // What was decided meanwhile is undone with it: branches that it ended are open in the index.
      return commit(overQuota(state, [...entries, ...actions.take()], outcome.cap));
    }
    if (outcome.kind !== 'done') return undefined;
    seq += 1;
    trace?.committed(entries);
    publishCommitted(parts.live, state, entries);
    // Cancelled while that was committed, it is not put aside before it has ended.
    if (releaseUntil !== undefined && !state.end) leave('parked');
    return entries;
  };

  /** When nothing goes on before a later time, the run needs no memory until then. */
  const parkedUntil = (): number | undefined => {
    if (state.end || state.active.size === 0) return undefined;
    const wakes = [...state.active.values()].map(({ retryAt }) => retryAt ?? 0);
    const next = Math.min(...wakes);
    return next > clock.now() + parts.parkAfterMs ? next : undefined;
  };

  const afterCommit = (entries: readonly JournalEntry[]): void => {
    if (entries.some(({ type }) => type === 'FLOW_COMPLETED' || type === 'FLOW_FAILED')) {
      leave('ended');
      return;
    }
    for (const entry of entries) {
      if (entry.type === 'NODE_STARTED' || entry.type === 'NODE_RETRY_STARTED') dispatch(entry.step);
      if (entry.type === 'NODE_RETRY_SCHEDULED') timers.set(entry.step, entry.nextAttemptAt ?? 0);
    }
    pump();
  };

  const dispatch = (step: number): void => {
    const active = state.active.get(step);
    if (!active || active.retryAt !== undefined || draining) return;
    if (growth.graph().node(active.node).mock) return;
    calls += 1;
    callStep(active)
      .catch((error: unknown) => {
        logger.error({ err: error, execution: executionId, step }, 'a step could not be called');
        leave('interrupted');
      })
      .finally(() => {
        calls -= 1;
      });
  };

  const callStep = async (active: ActiveStep): Promise<void> => {
    const { step, attempt, node, input } = active;
    const gate = createProgressGate(() => clock.now());
    const mutations: string[] = [];
    if (probe) await probe('before_dispatch', { executionId, step });
    const outcome = await parts.callStep({
      tenantId,
      executionId,
      node: growth.graph().node(node).compiled,
      step,
      attempt,
      input: loadedBytes(input),
      config: state.config,
      signal: aborter.signal,
      listener: createStepListener(active, { gate, mutations, note, tellMemory }),
    });
    if (probe) await probe('after_dispatch', { executionId, step });
    if (gone) return;
    const end = gate.dropped() > 0 ? { progressDropped: gate.dropped() } : {};
    const fail = (failure: StepFailure): void => {
      trace?.failing(step, failure.message);
      actions.fail(step, failure, end);
    };
    if (outcome.kind !== 'output') {
      // What it would have added to the graph is gone with the attempt.
      decide(step, () => fail(failureOf(node, outcome)));
    } else if (mutations.length === 0) {
      decide(step, () => actions.complete(step, outcome.bytes, end));
    } else {
      await growth.add(node, mutations, (grown) => {
        if (gone) return;
        decide(step, () => {
          if ('error' in grown) fail({ message: grown.error, retryable: false });
          else actions.complete(step, outcome.bytes, end, grown);
        });
      });
    }
  };

  const decide = (step: number, happening: () => void): void => {
    try {
      happening();
    } catch (error) {
      // A defect of ours: taken up again, the run would come here again, and call the node each time.
      logger.error({ err: error, execution: executionId, step }, 'what follows a step could not be decided');
      actions.abort({ status: 'FAILED', message: internalError });
    }
    pump();
  };

  const tellMemory: StepListenerOptions['tellMemory'] = ({ node, branch }, change) => {
    if (gone) return;
    const stamp = { id: parts.ids.ulid(), at: clock.now() };
    publishMemory(parts.live, state, { node, branch }, { ...change, ...stamp });
  };

  const note = (fact: Parameters<NextActions['note']>[0]): void => {
    if (gone) return;
    actions.note(fact);
    gathering ??= setTimeout(pump, gatherMs);
  };

  return {
    tenantId,
    executionId,
    state,
    actions,
    resume: (pending = []) => {
      if (gone) return;
      if (state.end && pending.length === 0) {
        leave('ended');
        return;
      }
      held = [...pending];
      const later = new Set(pending.map((entry) => ('step' in entry ? entry.step : undefined)));
      for (const { step, retryAt } of state.active.values()) {
        if (retryAt !== undefined) timers.set(step, retryAt);
        else if (!later.has(step)) dispatch(step);
      }
      pump();
    },
    pump,
    hasLeft: () => gone,
    lose: () => leave('fenced'),
    commitNow: async () => (await commit(actions.take())) !== undefined,
    drain: async () => {
      draining = true;
      while (!gone && (calls > 0 || committing)) await pause(drainLookMs);
    },
    drop,
  };
}
