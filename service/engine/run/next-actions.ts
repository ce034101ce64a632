import { limits } from '../../../specs/limits.ts';
import type { Ids } from '../../ids.ts';
import type { GraphFragment } from '../graph/compiled-graph.ts';
import type { LoadedEdge, LoadedGraph } from '../graph/loaded-graph.ts';
import { createFactLog } from './fact-log.ts';
import { type GraphShape, incomingIds } from './graph-shape.ts';
import { firstArrivals, inputOf, isComplete, isLate, lateFor, waitingJoins } from './joins.ts';
import type { Fact, FlowFailed, JournalEntry, Payload, StepRef } from './journal-entry.ts';
import { type ActiveStep, type RunState, tokensOf } from './run-state.ts';
import { delayAfter } from './retry-timers.ts';
import { endOfAttempts, type StepEnd } from './step-end.ts';
import { cancelled, exceededSteps, joinFailed, noTerminalResult } from './run-texts.ts';

/** Why an attempt of a step failed. */
export interface StepFailure {
  message: string;
  /** Whether a further attempt may succeed. */
  retryable: boolean;
  /** JSON text; empty for none. */
  payloadJson?: string;
}

/** A fragment that a step brought, and the graph that it made of the one before. */
export interface Growth {
  fragment: GraphFragment;
  graph: LoadedGraph;
  shape: GraphShape;
}

/**
 * Decides what follows from what happened to a run: facts for the journal, in order. Every call brings the state forward by
 * them, so that what happens next is judged by it; `take` hands them over. It does nothing else: what was started is to be
 * dispatched once its facts are committed. After the end of a run everything is ignored.
 */
export interface NextActions {
  start(input: Payload): void;
  /** The step's node answered, and grew the graph before. Steps that are not under way are ignored. */
  complete(step: number, output: Uint8Array, end?: StepEnd, growth?: readonly Growth[]): void;
  fail(step: number, failure: StepFailure, end?: StepEnd): void;
  /** The time of a scheduled retry has come. */
  retry(step: number): void;
  /** A fact that changes nothing of what comes next. */
  note(fact: Fact): void;
  /** Ends the run at once; branches under way are cancelled. */
  abort(end: Omit<FlowFailed, 'type'>): void;
  cancel(): void;
  take(): JournalEntry[];
}

/** An edge that a run goes along, and what it brings: the target's input, or the source's output for a compose plan. */
interface Passing {
  edge: LoadedEdge;
  adapterApplied: boolean;
  payload: Uint8Array;
}

export interface NextActionsOptions {
  graph: LoadedGraph;
  shape: GraphShape;
  state: RunState;
  ids: Pick<Ids, 'ulid' | 'executionId'>;
  /** Epoch milliseconds. */
  now: () => number;
}

export function createNextActions({ state, ids, now, ...running }: NextActionsOptions): NextActions {
  let { graph, shape } = running;
  const root = state.executionId;
  const facts = createFactLog({ state, shape: () => shape, ids, now });
  const { add, endBranch, finish } = facts;
  /** Steps that a fixture answers, in the order of starting: answered one after another, not one within another. */
  const mocked: ActiveStep[] = [];

  const isOver = (): boolean => state.end !== undefined;

  /** Runs what follows, and all that follows from that without anybody being asked. */
  const follow = (happening: () => void): void => {
    if (isOver()) return;
    happening();
    for (;;) {
      for (let step = mocked.shift(); step && !isOver(); step = mocked.shift()) answerFromMock(step);
      if (isOver()) return;
      if (!startOneJoin() && !endIfIdle()) return;
    }
  };

  const startStep = (
    node: string,
    branch: string,
    input: Payload,
    join: { joined?: string[]; late?: string[] } = {},
  ): void => {
    if (state.steps >= limits.stepsPerRun) {
      abort(exceededSteps(limits.stepsPerRun));
      return;
    }
    const step = state.steps;
    add({ type: 'NODE_STARTED', step, node, branch, input, ...join });
    const active = state.active.get(step);
    if (active && graph.node(node).mock) mocked.push(active);
  };

  const answerFromMock = ({ step, node }: ActiveStep): void => {
    const { mock } = graph.node(node);
    switch (mock?.kind) {
      case 'output': {
        completeStep(step, mock.output, { mocked: true });
        return;
      }
      case 'error': {
        failStep(step, { message: mock.error, retryable: false }, { mocked: true });
        return;
      }
      case 'frames':
      case undefined:
        throw new Error(`node "${node}" of a unary flow has no fixture to answer from`);
    }
  };

  const completeStep = (
    step: number,
    output: Uint8Array,
    end: StepEnd,
    growth: readonly Growth[] = [],
  ): void => {
    const active = state.active.get(step);
    if (!active) return;
    const { node, branch } = active;
    add({ type: 'NODE_COMPLETED', ...refOf(active), output, ...endOfAttempts(active, end) });
    for (const { fragment, ...grown } of growth) {
      ({ graph, shape } = grown);
      add({ type: 'GRAPH_MUTATED', ...refOf(active), ...fragment, mutation: state.growth.length + 1 });
    }
    const passing: Passing[] = [];
    for (const edge of graph.outgoing(node)) {
      const outcome = edge.evaluate(output);
      const { id } = edge.compiled;
      if ('error' in outcome) {
        const { error } = outcome;
        add({
          type: 'EDGE_EVALUATED',
          edge: id,
          node,
          branch,
          conditionPass: false,
          adapterApplied: false,
          error,
        });
        abort(error);
        return;
      }
      const { pass, adapterApplied } = outcome;
      if (pass) passing.push({ edge, adapterApplied, payload: outcome.input ?? output });
      else add({ type: 'EDGE_EVALUATED', edge: id, node, branch, conditionPass: false, adapterApplied });
    }
    if (passing.length === 0) {
      endBranch(branch, 'COMPLETED');
      if (node === shape.terminal) finish(output);
      return;
    }
    const branches = passing.map(() => (passing.length === 1 ? branch : ids.executionId()));
    if (passing.length > 1) {
      for (const each of branches) add({ type: 'branch_opened', branch: each, parent: branch });
      endBranch(branch, 'COMPLETED');
    }
    passing.forEach((each, index) => followEdge(each, branches[index] ?? branch));
  };

  /** Goes along one passing edge. */
  const followEdge = ({ edge, adapterApplied, payload }: Passing, branch: string): void => {
    if (state.end) return;
    const { id, from, to } = edge.compiled;
    const { join } = shape.compiled(to);
    const evaluated = {
      type: 'EDGE_EVALUATED',
      edge: id,
      node: from,
      branch,
      conditionPass: true,
      adapterApplied,
    } as const;
    if (join?.policy === 'all') {
      add({ ...evaluated, waits: payload });
      return;
    }
    add(evaluated);
    if (join && isLate(state, to, branch)) {
      endBranch(branch, 'COMPLETED');
      return;
    }
    const made = inputOf(graph, to, [{ edge: id, branch, payload }]);
    if ('error' in made) {
      abort(made.error);
      return;
    }
    startStep(to, branch, made.input, join ? { late: lateFor(shape, state, { join: to, branch }) } : {});
  };

  const startOneJoin = (): boolean => {
    const waiting = waitingJoins(state);
    const complete = waiting.find((node) =>
      isComplete(shape, state, { node, incoming: incomingIds(graph, node) }),
    );
    // Joins that wait for each other: the one where something waits longest goes on with what it has.
    const node = complete ?? (state.active.size === 0 ? waiting[0] : undefined);
    if (node === undefined) return false;
    const arrivals = firstArrivals(state, node, incomingIds(graph, node));
    const made = inputOf(graph, node, arrivals);
    if ('error' in made) {
      abort(made.error);
      return true;
    }
    const alone = tokensOf(state).length === arrivals.length;
    const branch = alone ? root : (arrivals[0]?.branch ?? root);
    for (const arrival of arrivals) if (arrival.branch !== branch) endBranch(arrival.branch, 'COMPLETED');
    startStep(node, branch, made.input, { joined: arrivals.map(({ edge }) => edge) });
    return true;
  };

  /** @returns whether the run has ended */
  const endIfIdle = (): boolean => {
    if (state.active.size > 0) return false;
    const { result, survived } = state;
    if (result) finish(result);
    else abort(survived ? joinFailed(survived.join, survived.message) : noTerminalResult);
    return true;
  };

  const failStep = (step: number, failure: StepFailure, end: StepEnd): void => {
    const active = state.active.get(step);
    if (!active) return;
    const { node, branch, attempt } = active;
    const { retry } = shape.compiled(node);
    if (retry && failure.retryable) {
      const { maxAttempts } = retry;
      if (attempt < maxAttempts) {
        const nextAttemptAt = now() + delayAfter(retry, attempt);
        add({
          type: 'NODE_RETRY_SCHEDULED',
          ...refOf(active),
          attempt: attempt + 1,
          maxAttempts,
          nextAttemptAt,
          ...end,
        });
        return;
      }
      add({ type: 'NODE_RETRY_EXHAUSTED', ...refOf(active), attempt, maxAttempts });
    }
    const { message, payloadJson } = failure;
    add({ type: 'NODE_FAILED', ...refOf(active), message, ...endOfAttempts(active, end) });
    // What fails before the flow has branched feeds no join: nothing else would come there.
    const next = branch === root ? undefined : shape.nextJoin(node);
    const late = next !== undefined && isLate(state, next.id, branch);
    if (late || next?.join?.onError === 'continue') {
      // The join has started without a late branch: nothing of the run hangs on it.
      if (!late) add({ type: 'survived', join: next.id, message });
      endBranch(branch, 'FAILED', message);
      return;
    }
    abort(next ? joinFailed(next.id, message) : message, payloadJson);
  };

  const abort = (message: string, failurePayload = ''): void => {
    facts.end({ status: 'FAILED', message, ...(failurePayload === '' ? {} : { failurePayload }) });
  };

  return {
    start: (input) => follow(() => startStep(shape.entry, root, input)),
    complete: (step, output, stepEnd = {}, growth = []) =>
      follow(() => completeStep(step, output, stepEnd, growth)),
    fail: (step, failure, stepEnd = {}) => follow(() => failStep(step, failure, stepEnd)),
    retry: (step) =>
      follow(() => {
        const active = state.active.get(step);
        const policy = active && shape.compiled(active.node).retry;
        if (!policy || active.retryAt === undefined) return;
        const { maxAttempts } = policy;
        add({ type: 'NODE_RETRY_STARTED', ...refOf(active), attempt: active.attempt + 1, maxAttempts });
      }),
    note: (fact) => {
      if (!state.end) add(fact);
    },
    abort: facts.end,
    cancel: () => facts.end({ status: 'CANCELLED', message: cancelled }),
    take: facts.take,
  };
}

function refOf({ step, node, branch }: ActiveStep): StepRef {
  return { step, node, branch };
}
