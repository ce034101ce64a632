import { limits } from '../../specs/limits.ts';
import { firstExecutionId } from '../ids.ts';
import type { Database } from './database.ts';
import { prepareQuery } from './prepared/prepared-query.ts';

// Names its escape character, because the databases differ in their default.
const query = prepareQuery(
  `select latest.id as id, journal.body as body from (
     select id from executions where tenant_id = ? and id >= ? order by id desc limit ${limits.topics.executions}
   ) as latest
   join journal on journal.tenant_id = ? and journal.execution_id = latest.id and journal.seq = 0
   where journal.body like ? escape '!' order by latest.id`,
);

/**
 * Returns the runs whose first journal row contains a debug session's name as JSON, oldest first. The name may also occur
 * elsewhere in the row, so the caller must check the row.
 *
 * @param since epoch milliseconds; earlier runs are not searched, and of later ones only the tenant's latest 1,000 executions
 */
export async function findTopicRows(
  db: Database,
  { tenantId, topic, since }: { tenantId: string; topic: string; since: number },
): Promise<{ executionId: string; body: string }[]> {
  const pattern = `%${JSON.stringify(topic).replaceAll(/[!%_]/g, '!$&')}%`;
  const rows = await query(db, [tenantId, firstExecutionId(since), tenantId, pattern]);
  return rows.map(({ id, body }) => ({ executionId: id as string, body: body as string }));
}
