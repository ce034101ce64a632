import type { Tx } from './database.ts';

/** Returns the `graph_id` of each of these executions. Executions that are unknown or no runs are absent. */
export async function graphIdsOf(
  tx: Tx,
  tenantId: string,
  executionIds: readonly string[],
): Promise<Map<string, string>> {
  const rows: { id: string; graph_id: string }[] = await tx('executions')
    .select('id', 'graph_id')
    .where({ tenant_id: tenantId })
    .whereIn('id', [...new Set(executionIds)])
    .whereNotNull('graph_id');
  return new Map(rows.map(({ id, graph_id: graphId }) => [id, graphId]));
}
