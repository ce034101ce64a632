import { parseExactJson } from '../../../specs/exact-json.ts';
import type { Json } from '../../errors/api-error.ts';
import type { Database } from '../database.ts';
import { coalesceReads } from './coalesce-reads.ts';
import { prepareQuery } from './prepared-query.ts';

const query = prepareQuery('select config from configs where tenant_id = ? and id = ?');

type Profile = Record<string, Json | undefined>;

const find = coalesceReads<Profile | undefined>(async (db, tenantId, id) => {
  const [row] = await query(db, [tenantId, id]);
  return row && (parseExactJson(row.config as string) as Profile);
});

/** Returns the content of a config profile. Every new run reads it, and concurrent calls share one read. */
export function findConfigProfile(db: Database, tenantId: string, id: string): Promise<Profile | undefined> {
  return find(db, tenantId, id);
}
