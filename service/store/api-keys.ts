import { deleteOrigins, saveOrigins } from './app-key-origins.ts';
import type { Tx } from './database.ts';
import { findRecord, insertRecords, listRecords, updateRecords } from './records.ts';
import { defineTable, integer, json, nullable, real, text } from './table.ts';

/** A key without its secret: only the hash is stored (SPEC.md, Authentication 1). */
export interface ApiKey {
  tenantId: string;
  id: string;
  name: string;
  kind: 'full' | 'app';
  /** SHA-256 of the raw key, lower-case hex. */
  keyHash: string;
  /** The raw key's last 4 characters, for people to tell keys apart. */
  keyHint: string;
  scopes: string[];
  /** App keys: the graphs that it may invoke, and the browser origins that may present it. */
  graphIds: string[];
  allowedOrigins: string[];
  /** App keys: requests a second and burst. */
  rateRps: number;
  rateBurst: number;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  /** Follows the truth by a few seconds. */
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
  createdAt: integer(),
  expiresAt: nullable(integer()),
  revokedAt: nullable(integer()),
  lastUsedAt: nullable(integer()),
});

export async function insertApiKey(tx: Tx, key: ApiKey): Promise<void> {
  await insertRecords(tx, apiKeys, [key]);
  if (key.kind === 'app') await saveOrigins(tx, key);
}

export async function findApiKeyByHash(tx: Tx, keyHash: string): Promise<ApiKey | undefined> {
  return findRecord(tx, apiKeys, { keyHash });
}

/** The operator's look across tenants; ids are unique ULIDs. */
export async function findApiKeyById(tx: Tx, id: string): Promise<ApiKey | undefined> {
  return findRecord(tx, apiKeys, { id });
}

export async function listApiKeys(tx: Tx, tenantId: string): Promise<ApiKey[]> {
  return listRecords(tx, apiKeys, { tenantId }, ['createdAt', 'id']);
}

/** An app key that was not revoked; `undefined` for every other. */
export async function findAppKey(tx: Tx, tenantId: string, id: string): Promise<ApiKey | undefined> {
  return findRecord(tx, apiKeys, { tenantId, id, kind: 'app', revokedAt: null });
}

/** Replaces lists of an app key that was not revoked, in a transaction. Whether there is such a key. */
export async function changeAppKey(
  tx: Tx,
  tenantId: string,
  id: string,
  lists: Partial<Pick<ApiKey, 'graphIds' | 'allowedOrigins'>>,
): Promise<boolean> {
  const standing = { tenantId, id, kind: 'app', revokedAt: null } as const;
  // A key is changed by one at a time, so that its origins are those of one change.
  if ((await updateRecords(tx, apiKeys, standing, { ...standing, ...lists })) === 0) return false;
  const { allowedOrigins } = lists;
  if (allowedOrigins) {
    await deleteOrigins(tx, tenantId, id);
    await saveOrigins(tx, { tenantId, id, allowedOrigins });
  }
  return true;
}

/** Revokes the key from `at` on; one that is revoked already keeps its time. Whether it was revoked now. */
export async function revokeApiKey(tx: Tx, tenantId: string, id: string, at: number): Promise<boolean> {
  const count = await tx(apiKeys.name)
    .where({ tenant_id: tenantId, id, revoked_at: null })
    .update({ revoked_at: at });
  await deleteOrigins(tx, tenantId, id);
  return count > 0;
}

/** Remembers a use; an older one than what stands changes nothing. */
export async function touchApiKey(tx: Tx, tenantId: string, id: string, at: number): Promise<void> {
  await tx(apiKeys.name)
    .where({ tenant_id: tenantId, id })
    .whereRaw('coalesce(last_used_at, 0) < ?', [at])
    .update({ last_used_at: at });
}
