import type { Database, Tx } from './database.ts';
import { prepareFind } from './prepared/prepare-find.ts';
import { findRecord } from './records.ts';
import { bigInteger, defineTable, integer, nullable, text } from './table.ts';
import type { PauseStatus } from '../../specs/pause-status.ts';

/** A pause of a run: the index of its entries in the journal. `commit/run-writer.ts` writes it. Times are epoch milliseconds. */
export interface Pause {
  tenantId: string;
  /** ULID. */
  id: string;
  /** The run, even for a pause on a branch. */
  executionId: string;
  /** Journal row that opened the pause, which is its checkpoint. */
  seq: number;
  /** Node id. */
  node: string;
  status: PauseStatus;
  /** The question, JSON text. */
  question: string;
  /** Full name of the message that a decision must fit. */
  resumeSchema: string;
  createdAt: number;
  expiresAt: number;
  resumedAt: number | null;
  escalatedAt: number | null;
  /** Resumed pauses only: identifies the decision that won. */
  decisionId: string | null;
  /** Resumed pauses only; empty if the caller provided no name. */
  resumedBy: string | null;
  /** The decision as redacted JSON text; null if there is none, or if it is too large for the record. */
  resumeValue: string | null;
}

/** A change of a pause. `null` keeps a value. */
export type PauseChange = Pick<
  Pause,
  'id' | 'status' | 'resumedAt' | 'escalatedAt' | 'decisionId' | 'resumedBy' | 'resumeValue'
>;

export const pauses = defineTable<Pause>('pauses', {
  tenantId: text(),
  id: text(),
  executionId: text(),
  seq: integer(),
  node: text(),
  status: text(),
  question: text(),
  resumeSchema: text(),
  createdAt: bigInteger(),
  expiresAt: bigInteger(),
  resumedAt: nullable(bigInteger()),
  escalatedAt: nullable(bigInteger()),
  decisionId: nullable(text()),
  resumedBy: nullable(text()),
  resumeValue: nullable(text()),
});

const find = prepareFind(pauses, ['tenantId', 'id']);

/** Finds a pause in any status. Reads committed data, outside transactions. */
export async function findPause(db: Database, tenantId: string, id: string): Promise<Pause | undefined> {
  return find(db, [tenantId, id]);
}

/** Returns the pause of a run that waits for a decision. */
export async function findWaitingPause(
  tx: Tx,
  tenantId: string,
  executionId: string,
): Promise<Pause | undefined> {
  return findRecord(tx, pauses, { tenantId, executionId, status: 'WAITING' });
}
