import type { TerminalStatus } from '../../../specs/execution-status.ts';
import type { Execution, RunTopic } from '../executions.ts';
import type { Pause, PauseChange } from '../pauses.ts';

/** An operation on a run. A commit contains many. Each is atomic, and a refused one does not affect the others. */
export type RunOperation = Admission | Transition;

/**
 * Admits a run: takes the idempotency key, draws from quotas, and inserts the execution and its first journal row.
 */
export interface Admission {
  kind: 'admit';
  execution: Execution;
  /** Replica that works on the run. Empty if any replica may claim it, `null` if it has already ended. */
  owner: string | null;
  /** Body of journal row 0. */
  body: string;
  /** Hash of the caller's idempotency key or of the request. Only the first admission of a hash within the window is accepted. */
  keyHash: string;
  caps: DailyCaps;
  /** Maximum number of the tenant's open runs, including this one. Unlimited if absent. */
  inflight?: number;
  /** Set if the invocation named a debug session. */
  topic?: RunTopic;
  /** Set if the run is a fork. */
  fork?: Fork;
}

/**
 * Further parts of the commit that admits a fork. The rows before `body` are its copied history, which is already
 * stored.
 */
export interface Fork {
  /** Sequence number of the row with `body`. */
  seq: number;
  /** Open branches of the history. Each draws one unit of the executions quota. */
  branches: readonly Execution[];
  pauses?: PauseChanges;
  /** On a run without an owner: the time until which no replica claims it, epoch milliseconds. */
  releaseUntil?: number;
  /** Ends an open parent. If its journal row exists, the fork is refused as `fenced` and writes nothing. */
  parent?: ParentEnd;
}

/** The end of an open run that is forked. */
export interface ParentEnd {
  executionId: string;
  seq: number;
  body: string;
  /** Epoch milliseconds. */
  at: number;
  /** The run and its open branches. */
  ends: readonly ExecutionEnd[];
  pauses?: PauseChanges;
}

/** Continues a run: appends the next journal row, and updates executions to match. */
export interface Transition {
  kind: 'append';
  tenantId: string;
  /** The root execution. Branches share its journal. */
  executionId: string;
  seq: number;
  body: string;
  /** Epoch milliseconds. */
  at: number;
  /** New branches. Each draws one unit of the executions quota. */
  branches: readonly Execution[];
  caps: DailyCaps;
  /** The run or branches that end. */
  ends: readonly ExecutionEnd[];
  /** Units of the invocations quota that the transition draws. */
  invocations?: number;
  /** Mutations of the run's graph: the number in this transition, and the total. Each draws one unit of the executions quota. */
  mutated?: { times: number; seq: number };
  /** Releases the run until this time, epoch milliseconds. */
  releaseUntil?: number;
  /** Pauses of the run that this transition opens or changes. */
  pauses?: PauseChanges;
  /** Takes over the run in the same commit. Refused as `fenced` if the run has ended or another replica claims it first. */
  claim?: RunClaim;
}

/** Changes of the table `pauses` that are committed with a journal row. */
export interface PauseChanges {
  opened: readonly Pause[];
  /** At most one per pause, and none for a pause that is being opened. */
  changed: readonly PauseChange[];
}

interface RunClaim {
  replica: string;
  /** One more than the epoch of the execution. */
  epoch: number;
}

/** The end of a run or of a branch, which then has no owner. */
export interface ExecutionEnd extends EndCause {
  executionId: string;
  status: TerminalStatus;
}

/** The cause with which an execution ended. Its fields are `null` for an execution that completed. */
export type EndCause = Pick<Execution, 'errorMessage' | 'failureKind' | 'failedNode'>;

/** A tenant's quotas for one UTC day. */
export interface DailyCaps {
  invocations: number;
  executions: number;
}

/** A daily quota, named like its column in `daily_usage`. */
export type Quota = keyof DailyCaps;

/**
 * The outcome of an operation:
 * - `done`: the operation is committed.
 * - `duplicate`: an execution with the same key exists. It is the admission's own execution if an earlier write of it
 *   was committed.
 * - `over_quota`: a daily quota is exhausted. Nothing was written, and the key is still free.
 * - `over_inflight`: the tenant has too many open runs. Nothing was written, and the key is still free.
 * - `fenced`: the journal row exists, so another replica has continued the run, or the parent of a fork.
 */
export type RunOutcome =
  | { kind: 'done' }
  | { kind: 'duplicate'; executionId: string }
  | { kind: 'over_quota'; quota: Quota; cap: number }
  | { kind: 'over_inflight'; cap: number }
  | { kind: 'fenced' };

/** Returns the day of the quotas: days since 1970-01-01 in UTC. */
export function dayOf(epochMs: number): number {
  return Math.floor(epochMs / 86_400_000);
}

/** Returns the id of the tenant that the operation belongs to. */
export function tenantOf(operation: RunOperation): string {
  return operation.kind === 'admit' ? operation.execution.tenantId : operation.tenantId;
}

/** Returns the time of the operation in epoch milliseconds. */
export function timeOf(operation: RunOperation): number {
  return operation.kind === 'admit' ? operation.execution.createdAt : operation.at;
}

/** Returns the units of the quotas that an operation draws. */
export function unitsDrawn(operation: RunOperation): DailyCaps {
  if (operation.kind === 'admit') {
    return { invocations: 1, executions: 1 + (operation.fork?.branches.length ?? 0) };
  }
  const { invocations = 0, branches, mutated } = operation;
  return { invocations, executions: branches.length + (mutated?.times ?? 0) };
}

/** Reports whether an operation draws from a quota. */
export function isDrawing(operation: RunOperation): boolean {
  const { invocations, executions } = unitsDrawn(operation);
  return invocations + executions > 0;
}
