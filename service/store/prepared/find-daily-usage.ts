import type { Database } from '../database.ts';
import { prepareQuery } from './prepared-query.ts';

const query = prepareQuery('select invocations, executions from daily_usage where tenant_id = ? and day = ?');

/** Returns what a tenant has used of its daily quotas on a day. */
export async function findDailyUsage(
  db: Database,
  tenantId: string,
  day: number,
): Promise<{ invocations: number; executions: number }> {
  const [row] = await query(db, [tenantId, day]);
  return { invocations: Number(row?.invocations ?? 0), executions: Number(row?.executions ?? 0) };
}
