import type { Execution, ExecutionStatus } from '../executions.ts';

/** What the run path commits. One commit takes many of them; each is whole or not at all, and none spoils another. */
export type RunOperation = Admission | Transition;

/** Accepts a run: idempotency, quotas, the execution and the first row of its journal. */
export interface Admission {
  kind: 'admit';
  execution: Execution;
  /** Replica that works on it; the empty text: whoever claims it. `null` for one that is already over. */
  owner: string | null;
  /** Body of the journal's row 0. */
  body: string;
  /** Hash of tenant-given key or of the request; of the same hash within the window only the first is accepted. */
  keyHash: string;
  caps: DailyCaps;
  /** Runs that the tenant may have open at once, this one included; absent: any number, and nothing is counted. */
  inflight?: number;
}

/** Goes on with a run: the next row of its journal, and what of it the index must show. */
export interface Transition {
  kind: 'append';
  tenantId: string;
  /** The root execution: branches write no journal of their own. */
  executionId: string;
  seq: number;
  body: string;
  /** Epoch milliseconds. */
  at: number;
  /** New branches, each of which draws one unit of the executions quota. */
  branches: readonly Execution[];
  caps: DailyCaps;
  /** The run itself or branches of it that end here. */
  ends: readonly ExecutionEnd[];
  /** Growth of the run's graph, each of which draws one unit of the executions quota: how often here, and in all so far. */
  mutated?: { times: number; seq: number };
  /** Nobody works on the run until then, epoch milliseconds. */
  releaseUntil?: number;
}

export interface ExecutionEnd {
  executionId: string;
  status: Extract<ExecutionStatus, 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'FORKED'>;
  errorMessage: string | null;
}

/** What a tenant may use in one UTC day. */
export interface DailyCaps {
  invocations: number;
  executions: number;
}

export type Quota = keyof DailyCaps;

/**
 * `done`: committed. `duplicate`: an execution of the same key stands. `over_quota`: a cap is reached; nothing of the operation
 * was written, no key burned. `over_inflight`: the same by the cap on open runs. `fenced`: the row's place in the journal is taken, so another replica has gone on with this run.
 */
export type RunOutcome =
  | { kind: 'done' }
  | { kind: 'duplicate'; executionId: string }
  | { kind: 'over_quota'; quota: Quota; cap: number }
  | { kind: 'over_inflight'; cap: number }
  | { kind: 'fenced' };

/** Day of the quotas: days since 1970-01-01 in UTC. */
export function dayOf(epochMs: number): number {
  return Math.floor(epochMs / 86_400_000);
}

export function tenantOf(operation: RunOperation): string {
  return operation.kind === 'admit' ? operation.execution.tenantId : operation.tenantId;
}

export function timeOf(operation: RunOperation): number {
  return operation.kind === 'admit' ? operation.execution.createdAt : operation.at;
}

/** Units of the executions quota that an operation draws. */
export function executionsDrawn(operation: RunOperation): number {
  if (operation.kind === 'admit') return 1;
  return operation.branches.length + (operation.mutated?.times ?? 0);
}
