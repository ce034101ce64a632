import type { Json } from '../../errors/api-error.ts';
import type { SpanContext } from '../../telemetry/trace-context.ts';
import type { GraphFragment } from '../graph/compiled-graph.ts';
import type { Payload, PauseQuestion, RunEnding, StepRef } from './entry.ts';

/** State of a run: the fold of its journal (`fold.ts`). */
export interface RunState {
  /** Also the id of the root branch. */
  executionId: string;
  /** The greatest id of an entry or another event of the run, empty before the first one. */
  lastId: string;
  input: Payload | undefined;
  config: Record<string, Json | undefined>;
  debugSessionId: string | undefined;
  /** Whether an app key started the run. */
  isPublic: boolean;
  /** The caller's span. */
  invokedBy: SpanContext | undefined;
  /** Steps started so far. */
  steps: number;
  /** Steps that have started and not ended, by step. */
  active: Map<number, ActiveStep>;
  /** Fragments that nodes of the run added to its graph, in order. */
  mutations: GraphFragment[];
  /** The pause that waits for a decision. */
  pause: WaitingPause | undefined;
  /** By id of the joining node. */
  joins: Map<string, JoinState>;
  /** Branches that have not ended, without the root. */
  branches: Set<string>;
  /** Latest output of the terminal node. */
  result: Payload | undefined;
  /** The last failure that a join with `continue` tolerated: the join, and the failed node's message. */
  survived: { join: string; message: string } | undefined;
  end: RunEnding | undefined;
}

/** A step that has started and not ended. The fold updates it in place. */
export interface ActiveStep extends StepRef {
  input: Payload;
  /** From 1. */
  attempt: number;
  /** When this attempt began, epoch milliseconds. */
  startedAt: number;
  /** Set between two attempts: start of the next one, epoch milliseconds. */
  retryAt: number | undefined;
  /** Progress frames of earlier attempts dropped by the rate limit. */
  progressDropped: number;
  /** The decision that is the step's input. */
  resumed: { pauseId: string; by: string } | undefined;
  /**
   * Set once the node has asked a human: `waiting` while the run waits for the decision, or the question while
   * earlier pauses are pending.
   */
  asks: 'waiting' | PauseQuestion | undefined;
}

interface WaitingPause {
  pauseId: string;
  /** The step whose node asks. */
  step: number;
  /** Epoch milliseconds. */
  expiresAt: number;
  /** Epoch milliseconds. Undefined if the pause has been escalated, or never will be. */
  escalateAt: number | undefined;
}

/** The arrivals at a join. Those that have become its input are removed. */
export interface JoinState {
  /** In order of arrival. */
  arrivals: Arrival[];
  /** Branches that arrive too late for a join by `any` that has started. */
  late: Set<string>;
}

/** An input that waits at a join. */
export interface Arrival {
  edge: string;
  /** The branch that followed the edge. It stays open until the join starts. */
  branch: string;
  /** The adapted input, or the output of the source if the join has a compose plan. */
  payload: Payload;
}

/** A point from which a run continues: an active step, or an arrival that waits at a join. */
interface Token {
  node: string;
  branch: string;
}

/** Returns the state before the first entry of a journal. */
export function newRunState(executionId: string): RunState {
  return {
    executionId,
    lastId: '',
    input: undefined,
    config: {},
    debugSessionId: undefined,
    isPublic: false,
    invokedBy: undefined,
    steps: 0,
    active: new Map(),
    mutations: [],
    pause: undefined,
    joins: new Map(),
    branches: new Set(),
    result: undefined,
    survived: undefined,
    end: undefined,
  };
}

/** Returns the tokens of a run. A branch has one token at a time. */
export function tokensOf(state: RunState): Token[] {
  const waiting = [...state.joins].flatMap(([node, { arrivals }]) =>
    arrivals.map(({ branch }) => ({ node, branch })),
  );
  return [...state.active.values(), ...waiting];
}
