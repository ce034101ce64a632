import type { FailureKind } from '../../../specs/failure-kind.ts';
import type { Json } from '../../errors/api-error.ts';
import type { CallNote } from '../../nodes/call/call-note.ts';
import type { SpanContext } from '../../telemetry/trace-context.ts';
import type { ExecutionEnd } from '../../store/commit/run-operation.ts';
import type { GraphFragment } from '../graph/compiled-graph.ts';

/** A serialized message of a run. A large one read from the journal is the name of its blob until its bytes are needed. */
export type Payload = Uint8Array | StoredBlob;

/** A large message in the blob store of its execution. */
export interface StoredBlob {
  /** SHA-256 of the bytes, lower-case hex. */
  blob: string;
  /** Bytes. */
  size: number;
}

/**
 * One fact of a run's journal. A run stores nothing else: its state is the fold of its facts, and the facts in upper case are its
 * events.
 */
export type JournalEntry = Fact & Stamp;

/** The id and the time that a fact gets when it is added to the journal. */
export interface Stamp {
  /** ULID, ascending within the journal. */
  id: string;
  /** Epoch milliseconds. */
  at: number;
}

/** The last entry of a run. */
export type RunEnding = (FlowCompleted | FlowFailed) & Stamp;

/** What an entry records, without its stamp. */
export type Fact =
  | Admitted
  | ForkBegan
  | Forked
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
  | PauseRequested
  | HitlPaused
  | HitlResumed
  | HitlResumeFailed
  | PauseTimerFact
  | PauseCancelled
  | (StepRef & CallNote)
  | FrameFact
  | StreamCompleted
  | Streamed
  | ProgressDropped
  | FlowCompleted
  | FlowFailed;

/** The first entry of row 0. */
interface Admitted {
  type: 'admitted';
  /** Serialized input of a run that starts later. Otherwise the first step holds it. */
  input?: Payload;
  /** The resolved config profile. */
  config: Record<string, Json | undefined>;
  debugSessionId?: string;
  /** The span that the invocation's `traceparent` names. */
  invokedBy?: SpanContext;
  /** Id of the app key that started the run. No other app key may follow the run. */
  startedBy?: string;
}

/** A fork's first entry of its own. The rows before it are copies of its parent's, up to a checkpoint. */
export interface ForkBegan {
  type: 'fork_began';
  parent: string;
  /** Row of the parent's journal. */
  checkpoint: number;
  /** Replaces the parent's config profile. */
  config?: Record<string, Json | undefined>;
  debugSessionId?: string;
  invokedBy?: SpanContext;
  /** The step of the checkpoint that does not continue, because its node restarts with another input. */
  replaced?: number;
}

/** A fork continues this run from one of its checkpoints. The end of the run follows. */
interface Forked {
  type: 'FORKED';
  child: string;
  /** Row of this journal. */
  checkpoint: number;
}

/** Another replica continues the run. Any later write of the former owner collides with this row. */
interface TakenOver {
  type: 'taken_over';
  replica: string;
  epoch: number;
}

/** One call of a node in a run, with all its attempts. */
export interface StepRef {
  /** From 0, in starting order. Part of the idempotency id that containers receive. */
  step: number;
  /** Node id. */
  node: string;
  /** Execution id of the branch; the run's own for the root. */
  branch: string;
}

/** A step begins with its first attempt. In a unary flow, the node is called once this is committed. */
export interface NodeStarted extends StepRef {
  type: 'NODE_STARTED';
  input: Payload;
  /** On a join: the edges whose first arrival became part of the input. */
  joined?: string[];
  /** On a join by `any`: the branches that will arrive too late for this start. */
  late?: string[];
  /** The input is a decision on this pause, which an earlier step of the node requested. */
  resumed?: { pauseId: string; by: string };
}

/** A step of a unary flow has ended with an output. */
export interface NodeCompleted extends StepRef {
  type: 'NODE_COMPLETED';
  output: Payload;
  mocked?: true;
  /** Progress frames dropped by the rate limit, in all attempts. */
  progressDropped?: number;
}

/** A step has failed in its last attempt. Whether the run fails too is a fact of its own. */
export interface NodeFailed extends StepRef {
  type: 'NODE_FAILED';
  /** The node's own message, or the reason that the node could not be called. */
  message: string;
  failureKind?: FailureKind;
  /** In a run that streams: the totals of the node until it failed. */
  streamed?: StreamTotals;
  mocked?: true;
  progressDropped?: number;
}

/** The result of an edge on the output of its source, whether or not the edge passes. */
export interface EdgeEvaluated {
  type: 'EDGE_EVALUATED';
  edge: string;
  /** Source of the edge. */
  node: string;
  /** The branch that follows the edge. */
  branch: string;
  conditionPass: boolean;
  adapterApplied: boolean;
  /** The run's error message. */
  error?: string;
  /** Payload that waits at the edge's join: the adapted input, or the source's output if the join has a compose plan. */
  waits?: Payload;
}

/** The step's node added these nodes and edges to the graph. Uses one unit of the executions quota. */
interface GraphMutated extends StepRef, GraphFragment {
  type: 'GRAPH_MUTATED';
  /** Number of this mutation in the run, from 1. */
  mutation: number;
}

/** One of several passing edges: a child execution, which uses one unit of the executions quota. */
interface BranchOpened {
  type: 'branch_opened';
  branch: string;
  parent: string;
}

interface BranchEnded {
  type: 'branch_ended';
  branch: string;
  status: ExecutionEnd['status'];
  /** Failed branches only. */
  message?: string;
  failureKind?: FailureKind;
  node?: string;
}

/** A node before a join failed, and the join continues without it. */
interface Survived {
  type: 'survived';
  join: string;
  message: string;
}

interface RetryFact extends StepRef {
  type: 'NODE_RETRY_SCHEDULED' | 'NODE_RETRY_STARTED' | 'NODE_RETRY_EXHAUSTED';
  /** The scheduled, the starting or the last attempt, from 1. */
  attempt: number;
  maxAttempts: number;
  /** On a scheduled retry: epoch milliseconds. */
  nextAttemptAt?: number;
  /**
   * On a scheduled retry and at the end of the attempts: the failure message of the previous attempt. Absent in
   * journals of earlier releases.
   */
  message?: string;
  /** The cause of that failure, if it is known. */
  failureKind?: FailureKind;
  /** On a scheduled retry: progress frames of the failed attempt dropped by the rate limit. */
  progressDropped?: number;
}

/** A node's question to a human. */
export interface PauseQuestion {
  /** JSON text. */
  question: string;
  /** Full name of the message that a decision must fit. */
  resumeSchema: string;
  timeoutMs: number;
  /** Absent if the question is never escalated. */
  escalateAfterMs?: number;
}

/**
 * A node asks a human while the run waits for another decision. The question is asked once no earlier pause is
 * pending.
 */
interface PauseRequested extends StepRef, PauseQuestion {
  type: 'pause_requested';
  progressDropped?: number;
}

/** The run waits for a human's decision on the step's question. */
interface HitlPaused extends StepRef, Pick<PauseQuestion, 'question' | 'resumeSchema'> {
  type: 'HITL_PAUSED';
  pauseId: string;
  /** Epoch milliseconds. */
  expiresAt: number;
  /** Epoch milliseconds. Absent if the pause is never escalated. */
  escalateAt?: number;
  progressDropped?: number;
}

/** A decision ends the step. The next step of the node, if one follows, has the decision as its input. */
interface HitlResumed extends StepRef {
  type: 'HITL_RESUMED';
  pauseId: string;
  /** Identifies the decision among all decisions made on the pause. */
  decisionId: string;
  /** Empty if the caller provided no name. */
  resumedBy: string;
  /** The decision as JSON text, redacted. Absent if it is too large for the record of the pause. */
  value?: string;
}

/** The decision cannot become the node's input. The end of the run follows. */
interface HitlResumeFailed extends StepRef {
  type: 'HITL_RESUME_FAILED';
  pauseId: string;
  message: string;
}

/** A pause has expired, and the end of the run follows; or a pause is due for escalation. */
interface PauseTimerFact extends StepRef {
  type: 'HITL_TIMEOUT' | 'ESCALATION_TRIGGERED';
  pauseId: string;
}

/** The run ends while a pause is pending. */
interface PauseCancelled extends StepRef {
  type: 'pause_cancelled';
  pauseId: string;
}

/** A frame of a pipeline node. Only the first frames of a stream are stored. */
interface FrameFact extends StepRef {
  type: 'NODE_FRAME' | 'NODE_INPUT_FRAME';
  /** Position among the frames of its direction, from 0. */
  index: number;
  frame: Payload;
}

/** The totals of a stream. */
export interface StreamTotals {
  inputFrames: number;
  /** Output frames. */
  totalFrames: number;
  /** Frames in both directions without an event. */
  framesDropped: number;
}

/** A pipeline node has ended successfully. */
export interface StreamCompleted extends StepRef, StreamTotals {
  type: 'NODE_STREAM_COMPLETE';
  mocked?: true;
  progressDropped?: number;
}

/** The totals of a direct stream, no matter how it ended. */
interface Streamed extends StreamTotals {
  type: 'streamed';
}

/** Progress frames of a direct call dropped by the rate limit. In a run, the end of the step records their number. */
interface ProgressDropped {
  type: 'progress_dropped';
  count: number;
}

interface FlowCompleted {
  type: 'FLOW_COMPLETED';
  output: Payload;
}

/** The run has ended without a result: it failed, was cancelled, or continues in a fork. */
export interface FlowFailed {
  type: 'FLOW_FAILED';
  status: 'FAILED' | 'CANCELLED' | 'FORKED';
  message: string;
  failureKind?: FailureKind;
  /** The node that failed, or the node whose edges, input or pause failed. Absent if the run as a whole ended. */
  node?: string;
  /** JSON text from the failed node. */
  failurePayload?: string;
}
