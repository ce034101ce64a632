import type { Json } from '../../errors/api-error.ts';
import type { SpanContext } from '../../telemetry/trace-context.ts';
import type { GraphFragment } from '../graph/compiled-graph.ts';
import type { Payload, RunEnding, StepRef } from './journal-entry.ts';

/** Where a run stands: the fold of its journal (`fold.ts`). */
export interface RunState {
  /** The root branch. */
  executionId: string;
  input: Payload | undefined;
  config: Record<string, Json | undefined>;
  debugSessionId: string | undefined;
  /** Span of whoever invoked it. */
  invokedBy: SpanContext | undefined;
  /** Steps started so far. */
  steps: number;
  /** Steps that have started and not ended, by step. */
  active: Map<number, ActiveStep>;
  /** What nodes of the run added to its graph, in that order. */
  growth: GraphFragment[];
  /** By id of the node that joins. */
  joins: Map<string, JoinState>;
  /** Branches that have not ended, but for the root. */
  branches: Set<string>;
  /** Latest output of the terminal node. */
  result: Payload | undefined;
  /** The last failure that a join with `continue` went on without: the join, and the failed node's words. */
  survived: { join: string; message: string } | undefined;
  end: RunEnding | undefined;
}

export interface ActiveStep extends StepRef {
  input: Payload;
  /** From 1. */
  attempt: number;
  /** When this attempt began, epoch milliseconds. */
  startedAt: number;
  /** Between two attempts: when the next one starts, epoch milliseconds. */
  retryAt: number | undefined;
  /** Progress frames of the attempts before that the rate limit dropped. */
  progressDropped: number;
}

export interface JoinState {
  /** In the order of arriving. */
  arrivals: Arrival[];
  /** Branches that a start by `any` has overtaken. */
  late: Set<string>;
}

export interface Arrival {
  edge: string;
  branch: string;
  payload: Payload;
}

/** A place where a run goes on from: a step under way, or an arrival that waits at a join. */
export interface Token {
  node: string;
  branch: string;
}

export function newRunState(executionId: string): RunState {
  return {
    executionId,
    input: undefined,
    config: {},
    debugSessionId: undefined,
    invokedBy: undefined,
    steps: 0,
    active: new Map(),
    growth: [],
    joins: new Map(),
    branches: new Set(),
    result: undefined,
    survived: undefined,
    end: undefined,
  };
}

/** Everything that the run goes on from; a branch has one token at a time. */
export function tokensOf(state: RunState): Token[] {
  const waiting = [...state.joins].flatMap(([node, { arrivals }]) =>
    arrivals.map(({ branch }) => ({ node, branch })),
  );
  return [...state.active.values(), ...waiting];
}
