import { limits } from '../../specs/limits.ts';
import type { Tx } from './database.ts';
import { bigInteger, defineTable, nullable, text, toRow } from './table.ts';

/** A decision on a pause that another decision had already ended. Kept for audit. */
interface LateDecision {
  tenantId: string;
  executionId: string;
  pauseId: string;
  /** ULID. */
  id: string;
  /** Epoch milliseconds. */
  decidedAt: number;
  /** Empty if the caller provided no name. */
  resumedBy: string;
  /** Redacted JSON text; null if it is too large or was not sent as an object. */
  value: string | null;
}

const lateDecisions = defineTable<LateDecision>('late_decisions', {
  tenantId: text(),
  executionId: text(),
  pauseId: text(),
  id: text(),
  decidedAt: bigInteger(),
  resumedBy: text(),
  value: nullable(text()),
});

/** Stores a decision, unless the maximum number for the pause is already stored. */
export async function addLateDecision(tx: Tx, decision: LateDecision): Promise<void> {
  const { tenantId, executionId, pauseId } = decision;
  const [counted]: { kept?: number | string }[] = await tx(lateDecisions.name)
    .where({ tenant_id: tenantId, execution_id: executionId, pause_id: pauseId })
    .count({ kept: '*' });
  // Concurrent requests may exceed the limit by a few.
  if (Number(counted?.kept ?? 0) >= limits.lateDecisionsPerPause) return;
  await tx(lateDecisions.name).insert(toRow(lateDecisions, decision));
}
