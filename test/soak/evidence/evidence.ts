import type { ShownEvent } from '../load/read-events.ts';

/** An execution as the API shows it once everything is quiet. */
export interface ShownExecution {
  /** Absent: the API does not know it. */
  status?: string;
  hasEnded: boolean;
  events: readonly ShownEvent[];
}

/** A pause in the database. Times are epoch milliseconds. */
export interface StoredPause {
  id: string;
  executionId: string;
  status: string;
  expiresAt: number;
  resumedAt: number | undefined;
  escalatedAt: number | undefined;
  /** The field `decision` of the decision that won. */
  decision: string | undefined;
}

/** What the database says that a tenant has drawn, and the executions that it has. */
export interface StoredUsage {
  handle: string;
  invocations: number;
  executions: number;
  /** Pauses that were decided: each has drawn one invocation. */
  decisions: number;
  /** Runs with their branches and mutations: each has drawn one execution. */
  runs: number;
  dailyInvocations: number;
}

/** What the service shows after the soak. */
export interface Evidence {
  /** Acknowledged runs and calls, by id. */
  executions: ReadonlyMap<string, ShownExecution>;
  pauses: readonly StoredPause[];
  usage: readonly StoredUsage[];
  /** Journals whose numbers have a gap, or do not begin with 0. */
  journalGaps: readonly string[];
  /** What should have gone, as text. */
  leftovers: readonly string[];
}
