import type { Tx } from './database.ts';
import { type Execution, executions, type ExecutionStatus } from './executions.ts';
import { columnNames, fromRow } from './table.ts';

export interface ExecutionFilter {
  /** Any of these; none: any status. */
  statuses: readonly ExecutionStatus[];
  graphId?: string | undefined;
  /** Epoch milliseconds: created then or later, and created before. */
  createdFrom?: number | undefined;
  createdBefore?: number | undefined;
}

export interface ExecutionPage {
  /** Id of the last execution of the page before. */
  after?: string | undefined;
  limit: number;
}

/**
 * Executions of a tenant, newest first: by their ids, which are in order of time, unique, and the table's own order. So a page
 * costs as much as it holds, and pages neither overlap nor leave gaps while executions are being added.
 */
export async function listExecutions(
  tx: Tx,
  tenantId: string,
  { statuses, graphId, createdFrom, createdBefore }: ExecutionFilter,
  { after, limit }: ExecutionPage,
): Promise<Execution[]> {
  const query = tx(executions.name).select(columnNames(executions)).where({ tenant_id: tenantId });
  if (statuses.length > 0) void query.whereIn('status', statuses);
  if (graphId !== undefined) void query.where({ graph_id: graphId });
  if (createdFrom !== undefined) void query.where('created_at', '>=', createdFrom);
  if (createdBefore !== undefined) void query.where('created_at', '<', createdBefore);
  if (after !== undefined) void query.where('id', '<', after);
  const rows = (await query.orderBy('id', 'desc').limit(limit)) as Record<string, unknown>[];
  return rows.map((row) => fromRow(executions, row));
}
