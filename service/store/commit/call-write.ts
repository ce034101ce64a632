import type { Execution } from '../executions.ts';

/** One write about a direct node call. */
export type CallWrite = { execution: Execution } | { row: CallJournalRow };

/** A row of a call's journal, which holds the log and the progress of the node. Most calls have none. */
export interface CallJournalRow {
  tenantId: string;
  executionId: string;
  /** From 0, without gaps. */
  seq: number;
  body: string;
  /** Epoch milliseconds. */
  at: number;
}
