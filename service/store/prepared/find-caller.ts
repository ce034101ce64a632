import { type ApiKey, apiKeys } from '../api-keys.ts';
import { fromRow, prefixedColumns } from '../table.ts';
import { type Tenant, tenants } from '../tenants.ts';
import { coalesceReads } from './coalesce-reads.ts';
import { prepareSharedQuery } from './shared-query.ts';

const query = prepareSharedQuery(
  `select ${prefixedColumns(apiKeys, 'key_')}, ${prefixedColumns(tenants, 'tenant_')}
   from api_keys left join tenants on tenants.id = api_keys.tenant_id where api_keys.key_hash = ?`,
  ['text'],
);

interface Caller {
  key: ApiKey;
  tenant: Tenant | undefined;
}

/** Returns the key with the hash, and its tenant unless it no longer exists. Concurrent calls share one read. */
export const findCaller = coalesceReads(async (db, keyHash: string): Promise<Caller | undefined> => {
  const [row] = await query(db, [keyHash]);
  if (!row) return undefined;
  const tenant = row.tenant_id === null ? undefined : fromRow(tenants, row, 'tenant_');
  return { key: fromRow(apiKeys, row, 'key_'), tenant };
});
