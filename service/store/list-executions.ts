import { isPostgres, type Tx } from './database.ts';
import type { ExecutionStatus } from '../../specs/execution-status.ts';
import { loopTurns } from '../work/turn-budget.ts';
import { type Execution, executions } from './executions.ts';
import { columnNames, fromRow } from './table.ts';

interface ExecutionFilter {
  /** If empty, any status. */
  statuses: readonly ExecutionStatus[];
  graphId?: string | undefined;
  /** Epoch milliseconds: creation times from `createdFrom` on, and before `createdBefore`. */
  createdFrom?: number | undefined;
  createdBefore?: number | undefined;
  /** `none`: only runs and direct calls. `all`: also branches. An execution id: only the branches of that run. */
  branches: 'none' | 'all' | { of: string };
}

interface ExecutionPage {
  /** Id of the last execution of the previous page. */
  after?: string | undefined;
  limit: number;
  /** Ends the search between two portions. */
  signal?: AbortSignal | undefined;
}

/** Rows per read, and maximum bytes of error texts in a page. */
const rowsAtOnce = 100;
const maxPageBytes = 1_048_576;

/**
 * Executions that one statement of SQLite examines. A filter may match few of a million, and SQLite reads on the main
 * thread, so the search yields between statements. Examining 4,000 takes about 3 ms.
 */
const examinedAtOnce = 4_000;

/**
 * Lists a tenant's executions, newest first. Ids are unique, ordered by time, and the order of the primary key, so pages neither
 * overlap nor leave gaps while executions are added. A page ends before its limit rather than exceed 1 MiB of error texts.
 */
export async function listExecutions(
  tx: Tx,
  tenantId: string,
  filter: ExecutionFilter,
  { after, limit, signal }: ExecutionPage,
): Promise<{ executions: Execution[]; hasMore: boolean }> {
  const found: Execution[] = [];
  let bytes = 0;
  let before = after;
  for (;;) {
    signal?.throwIfAborted();
    const last = isPostgres(tx) ? undefined : await lastExamined(tx, tenantId, before);
    for (;;) {
      const count = Math.min(rowsAtOnce, limit + 1 - found.length);
      const rows = await readExecutions(tx, tenantId, filter, { before, last, limit: count });
      for (const execution of rows) {
        bytes += Buffer.byteLength(execution.errorMessage ?? '');
        if (found.length === limit || (bytes > maxPageBytes && found.length > 0))
          return { executions: found, hasMore: true };
        found.push(execution);
      }
      if (rows.length < count) break;
      before = rows.at(-1)?.id;
    }
    if (last === undefined || last <= oldestOf(filter)) return { executions: found, hasMore: false };
    before = last;
    await loopTurns.yieldIfSpent();
  }
}

/** Returns the id below which no execution matches the filter: a branch is younger than its run. */
function oldestOf({ branches }: ExecutionFilter): string {
  return typeof branches === 'object' ? branches.of : '';
}

/** Returns the id of the last execution that the next statements examine; undefined if they examine all the rest. */
async function lastExamined(
  tx: Tx,
  tenantId: string,
  before: string | undefined,
): Promise<string | undefined> {
  const query = tx(executions.name).select('id').where({ tenant_id: tenantId });
  if (before !== undefined) void query.where('id', '<', before);
  const [row] = (await query
    .orderBy('id', 'desc')
    .offset(examinedAtOnce - 1)
    .limit(1)) as { id: string }[];
  return row?.id;
}

async function readExecutions(
  tx: Tx,
  tenantId: string,
  { statuses, graphId, createdFrom, createdBefore, branches }: ExecutionFilter,
  { before, last, limit }: { before: string | undefined; last: string | undefined; limit: number },
): Promise<Execution[]> {
  const query = tx(executions.name).select(columnNames(executions)).where({ tenant_id: tenantId });
  if (statuses.length > 0) void query.whereIn('status', statuses);
  if (graphId !== undefined) void query.where({ graph_id: graphId });
  if (createdFrom !== undefined) void query.where('created_at', '>=', createdFrom);
  if (createdBefore !== undefined) void query.where('created_at', '<', createdBefore);
  if (branches === 'none') void query.whereNull('lineage_root_execution_id');
  else if (branches !== 'all') void query.where({ lineage_root_execution_id: branches.of });
  if (before !== undefined) void query.where('id', '<', before);
  if (last !== undefined) void query.where('id', '>=', last);
  const rows = (await query.orderBy('id', 'desc').limit(limit)) as Record<string, unknown>[];
  return rows.map((row) => fromRow(executions, row));
}
