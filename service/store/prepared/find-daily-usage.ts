import { coalesceReads } from './coalesce-reads.ts';
import { prepareQuery } from './prepared-query.ts';

const query = prepareQuery('select invocations, executions from daily_usage where tenant_id = ? and day = ?');

interface DailyUsage {
  invocations: number;
  executions: number;
}

/** Returns how much of its daily quotas a tenant has used on a day. Concurrent calls share one read. */
export const findDailyUsage = coalesceReads(
  async (db, tenantId: string, day: number): Promise<DailyUsage> => {
    const [row] = await query(db, [tenantId, day]);
    return { invocations: Number(row?.invocations ?? 0), executions: Number(row?.executions ?? 0) };
  },
);
