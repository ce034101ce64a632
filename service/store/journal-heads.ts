import type { Tx } from './database.ts';

/** Returns the last `seq` in the journals of the executions that have one. */
export async function journalHeads(
  tx: Tx,
  tenantId: string,
  executionIds: readonly string[],
): Promise<Map<string, number>> {
  const rows: { execution_id: string; seq: number }[] = await tx('journal')
    .select('execution_id')
    .max('seq as seq')
    .where({ tenant_id: tenantId })
    .whereIn('execution_id', executionIds)
    .groupBy('execution_id');
  return new Map(rows.map(({ execution_id: id, seq }) => [id, seq]));
}
