import { limits } from '../../specs/limits.ts';
import { firstExecutionId } from '../ids.ts';
import type { Database } from './database.ts';
import type { RunTopic } from './executions.ts';
import { prepareQuery } from './prepared/prepared-query.ts';

const runsOf = (whose: string): string =>
  `select id from executions where tenant_id = ? and topic = ? and id >= ?${whose}
   order by id desc limit ${limits.topics.runs}`;

const allRuns = prepareQuery(runsOf(''));
const runsOfAppKey = prepareQuery(runsOf(' and topic_app_key = ?'));

/**
 * Returns the ids of the latest runs of a topic, oldest first.
 *
 * @param topic with an app key: only the runs that it started
 * @param since epoch milliseconds; earlier runs are not listed
 */
export async function findTopicRuns(
  db: Database,
  { tenantId, topic, since }: { tenantId: string; topic: RunTopic; since: number },
): Promise<string[]> {
  const values = [tenantId, topic.session, firstExecutionId(since)];
  const rows = await (topic.appKey === undefined
    ? allRuns(db, values)
    : runsOfAppKey(db, [...values, topic.appKey]));
  return rows.map(({ id }) => id as string).reverse();
}
