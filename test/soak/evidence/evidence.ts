import type { ShownEvent } from '../load/read-events.ts';

/** An execution as the API returns it after the soak. */
export interface ShownExecution {
  /** Absent if the API does not know the execution. */
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

/** The usage of a tenant according to the database, and its number of executions. */
export interface StoredUsage {
  handle: string;
  invocations: number;
  executions: number;
  /** Pauses with a decision, each of which has drawn one invocation. */
  decisions: number;
  /** Runs with their branches and mutations: each has drawn one execution. */
  runs: number;
  dailyInvocations: number;
}

/** The state of the service after the soak. */
export interface Evidence {
  /** Acknowledged runs and calls, by id. */
  executions: ReadonlyMap<string, ShownExecution>;
  pauses: readonly StoredPause[];
  usage: readonly StoredUsage[];
  /** Journals with a gap in their row numbers, or whose first number is not 0. */
  journalGaps: readonly string[];
  /** Descriptions of what an idle service should have removed. */
  leftovers: readonly string[];
}
