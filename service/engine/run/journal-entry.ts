import type { Json } from '../../errors/api-error.ts';
import type { SpanContext } from '../../telemetry/trace-context.ts';
import type { ExecutionEnd } from '../../store/hot/run-operation.ts';
import type { GraphFragment } from '../graph/compiled-graph.ts';

/** A serialized message of a run; a large one that was read back is the name of its blob until somebody needs its bytes. */
export type Payload = Uint8Array | StoredBlob;

export interface StoredBlob {
  blob: string;
  /** Bytes. */
  size: number;
}

/**
 * One fact of a run's journal. Facts are all that is stored: a run's state is their fold, and events are facts as SPEC.md shows
 * them (those in upper case, under these names).
 */
export type JournalEntry = Fact & Stamp;

export interface Stamp {
  /** ULID, ascending along the journal. */
  id: string;
  /** Epoch milliseconds. */
  at: number;
}

/** The last entry of a run. */
export type RunEnding = (FlowCompleted | FlowFailed) & Stamp;

export type Fact =
  | Admitted
  | TakenOver
  | NodeStarted
  | NodeCompleted
  | NodeFailed
  | EdgeEvaluated
  | GraphMutated
  | BranchOpened
  | BranchEnded
  | Survived
  | RetryFact
  | NodeLog
  | NodeProgress
  | FlowCompleted
  | FlowFailed;

/** Row 0 begins with it. */
export interface Admitted {
  type: 'admitted';
  /** Serialized input of the entry, of a run that is started later; otherwise the first step holds it. */
  input?: Payload;
  /** The resolved config profile. */
  config: Record<string, Json | undefined>;
  debugSessionId?: string;
  /** The span that the invocation's `traceparent` names. */
  invokedBy?: SpanContext;
  /** Id of the app key that started the run, which alone of its kind may follow it. */
  startedBy?: string;
}

/** Another replica went on with the run: whatever the former owner still writes collides with this row. */
export interface TakenOver {
  type: 'taken_over';
  replica: string;
  epoch: number;
}

/** One call of a node in a run, all its attempts. */
export interface StepRef {
  /** From 0, in the order of starting; part of the idempotency id that containers get. */
  step: number;
  /** Canvas id. */
  node: string;
  /** Execution id of the branch; the run's own for the root. */
  branch: string;
}

export interface NodeStarted extends StepRef {
  type: 'NODE_STARTED';
  input: Payload;
  /** Of a join: edges whose first waiting arrival became part of the input. */
  joined?: string[];
  /** Of a join by `any`: branches on their way to it, which come too late for this start. */
  late?: string[];
}

export interface NodeCompleted extends StepRef {
  type: 'NODE_COMPLETED';
  output: Payload;
  mocked?: true;
  /** Progress frames that the rate limit dropped, of all attempts. */
  progressDropped?: number;
}

export interface NodeFailed extends StepRef {
  type: 'NODE_FAILED';
  /** Verbatim what the node said, or why it could not be asked. */
  message: string;
  mocked?: true;
  progressDropped?: number;
}

export interface EdgeEvaluated {
  type: 'EDGE_EVALUATED';
  edge: string;
  /** Source of the edge. */
  node: string;
  /** Branch that goes along it. */
  branch: string;
  conditionPass: boolean;
  adapterApplied: boolean;
  /** Finished text of SPEC.md, Flow run errors. */
  error?: string;
  /** What waits at the join that the edge leads to: the input by its adapter, or the source's output for a compose plan. */
  waits?: Payload;
}

/** The step's node grew the graph: from here on it has these nodes and edges. Draws one unit of the executions quota. */
export interface GraphMutated extends StepRef, GraphFragment {
  type: 'GRAPH_MUTATED';
  /** Mutations of the run so far, this one included. */
  mutation: number;
}

/** A passing edge of several: a child execution, which draws from the daily quota. */
export interface BranchOpened {
  type: 'branch_opened';
  branch: string;
  parent: string;
}

export interface BranchEnded {
  type: 'branch_ended';
  branch: string;
  status: ExecutionEnd['status'];
  message?: string;
}

/** A node that leads to a join failed, and the join goes on without it. */
export interface Survived {
  type: 'survived';
  join: string;
  message: string;
}

export interface RetryFact extends StepRef {
  type: 'NODE_RETRY_SCHEDULED' | 'NODE_RETRY_STARTED' | 'NODE_RETRY_EXHAUSTED';
  /** The attempt that comes, that starts, or that was the last; from 1. */
  attempt: number;
  maxAttempts: number;
  /** Scheduled ones: epoch milliseconds. */
  nextAttemptAt?: number;
  /** Scheduled ones: progress frames of the failed attempt that the rate limit dropped. */
  progressDropped?: number;
}

export interface NodeLog extends StepRef {
  type: 'NODE_LOG';
  level: string;
  message: string;
}

export interface NodeProgress extends StepRef {
  type: 'NODE_PROGRESS';
  kind: string;
  /** The author's text, unread. */
  json: string;
  /** Monotonic per attempt of a step, from 0; gaps are dropped frames. */
  seq: number;
}

export interface FlowCompleted {
  type: 'FLOW_COMPLETED';
  output: Payload;
}

export interface FlowFailed {
  type: 'FLOW_FAILED';
  status: 'FAILED' | 'CANCELLED';
  message: string;
  /** JSON text that the failed node gave. */
  failurePayload?: string;
}
