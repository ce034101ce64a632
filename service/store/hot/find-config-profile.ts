import type { Json } from '../../errors/api-error.ts';
import type { Database } from '../database.ts';
import { prepareQuery } from './prepared-query.ts';

const query = prepareQuery('select config from configs where tenant_id = ? and id = ?');

/** A config profile's content, read for every run that begins. */
export async function findConfigProfile(
  db: Database,
  tenantId: string,
  id: string,
): Promise<Record<string, Json | undefined> | undefined> {
  const [row] = await query(db, [tenantId, id]);
  return row && (JSON.parse(row.config as string) as Record<string, Json | undefined>);
}
