import { parseExactJson } from '../../../specs/exact-json.ts';
import type { Json } from '../../errors/api-error.ts';
import { coalesceReads } from './coalesce-reads.ts';
import { prepareQuery } from './prepared-query.ts';

const query = prepareQuery('select config from configs where tenant_id = ? and id = ?');

type Profile = Record<string, Json | undefined>;

/** Returns the content of a config profile. Every new run reads it, and concurrent calls share one read. */
export const findConfigProfile = coalesceReads(
  async (db, tenantId: string, id: string): Promise<Profile | undefined> => {
    const [row] = await query(db, [tenantId, id]);
    return row && (parseExactJson(row.config as string) as Profile);
  },
);
