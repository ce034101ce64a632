import { deleteOrigins, saveOrigins } from './app-key-origins.ts';
import type { Tx } from './database.ts';
import { findRecord, insertRecords, readParts, updateRecords } from './records.ts';
import { bigInteger, columnNames, defineTable, fromRow, json, nullable, real, text } from './table.ts';

/** An API key. The key itself is not stored, only its hash. */
export interface ApiKey {
  tenantId: string;
  id: string;
  name: string;
  kind: 'full' | 'app';
  /** SHA-256 of the raw key, lower-case hex. */
  keyHash: string;
  /** The last 4 characters of the raw key, to recognize it in lists. */
  keyHint: string;
  scopes: string[];
  /** App keys only: the graphs that the key may invoke, and the browser origins that may send it. */
  graphIds: string[];
  allowedOrigins: string[];
  /** App keys only: requests per second, and burst. */
  rateRps: number;
  rateBurst: number;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  /** Updated with a delay of a few seconds. */
  lastUsedAt: number | null;
}

export const apiKeys = defineTable<ApiKey>('api_keys', {
  tenantId: text(),
  id: text(),
  name: text(),
  kind: text(),
  keyHash: text(),
  keyHint: text(),
  scopes: json(),
  graphIds: json(),
  allowedOrigins: json(),
  rateRps: real(),
  rateBurst: real(),
  createdAt: bigInteger(),
  expiresAt: nullable(bigInteger()),
  revokedAt: nullable(bigInteger()),
  lastUsedAt: nullable(bigInteger()),
});

/** Stores a key, and the origins of an app key. Call it in a transaction. */
export async function insertApiKey(tx: Tx, key: ApiKey): Promise<void> {
  await insertRecords(tx, apiKeys, [key]);
  if (key.kind === 'app') await saveOrigins(tx, key);
}

/** Finds a key of any tenant, even a revoked or expired one. Ids are unique across tenants. */
export async function findApiKeyById(tx: Tx, id: string): Promise<ApiKey | undefined> {
  return findRecord(tx, apiKeys, { id });
}

/** Reads the tenant's keys in parts, oldest first, including revoked keys. */
export async function* readApiKeys(tx: Tx, tenantId: string): AsyncGenerator<ApiKey[], void, undefined> {
  const keys = () => tx(apiKeys.name).select(columnNames(apiKeys)).where({ tenant_id: tenantId });
  for await (const rows of readParts(keys)) yield rows.map((row) => fromRow(apiKeys, row));
}

/** Returns the app key, or `undefined` if it is revoked, a full key or missing. */
export async function findAppKey(tx: Tx, tenantId: string, id: string): Promise<ApiKey | undefined> {
  return findRecord(tx, apiKeys, { tenantId, id, kind: 'app', revokedAt: null });
}

/** Replaces lists of an app key. Call it in a transaction. Returns false if the key is revoked, a full key or missing. */
export async function changeAppKey(
  tx: Tx,
  tenantId: string,
  id: string,
  lists: Partial<Pick<ApiKey, 'graphIds' | 'allowedOrigins'>>,
): Promise<boolean> {
  const unrevoked = { tenantId, id, kind: 'app', revokedAt: null } as const;
  // Locks the row, so that concurrent changes do not mix their origins.
  if ((await updateRecords(tx, apiKeys, unrevoked, { ...unrevoked, ...lists })) === 0) return false;
  const { allowedOrigins } = lists;
  if (allowedOrigins) {
    await deleteOrigins(tx, tenantId, id);
    await saveOrigins(tx, { tenantId, id, allowedOrigins });
  }
  return true;
}

/** Revokes the key. Returns false if it is already revoked; its revocation time does not change. */
export async function revokeApiKey(tx: Tx, tenantId: string, id: string, at: number): Promise<boolean> {
  const count = await tx(apiKeys.name)
    .where({ tenant_id: tenantId, id, revoked_at: null })
    .update({ revoked_at: at });
  await deleteOrigins(tx, tenantId, id);
  return count > 0;
}

/** A use of a key, at a time in epoch milliseconds. */
export interface ApiKeyUse extends Pick<ApiKey, 'tenantId' | 'id'> {
  at: number;
}

/**
 * Stores the last use of each key, unless a later one is stored. The keys must be different, and at most a few
 * hundred.
 */
export async function touchApiKeys(tx: Tx, uses: readonly ApiKeyUse[]): Promise<void> {
  const rows = uses.map(() => '(?, ?, cast(? as bigint))').join();
  // Updates in a fixed order, so that replicas that update the same keys do not deadlock.
  const inOrder = uses.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  await tx.raw(
    `update api_keys set last_used_at = uses.used_at
     from (with uses (tenant_id, id, used_at) as (values ${rows}) select * from uses) as uses
     where api_keys.tenant_id = uses.tenant_id and api_keys.id = uses.id and coalesce(last_used_at, 0) < used_at`,
    inOrder.flatMap(({ tenantId, id, at }) => [tenantId, id, at]),
  );
}
