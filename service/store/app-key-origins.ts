import type { Database, Tx } from './database.ts';
import { prepareQuery } from './prepared/prepared-query.ts';

/** The allowed origins of an app key. */
interface KeyOrigins {
  tenantId: string;
  id: string;
  /** Empty if the key allows every origin. */
  allowedOrigins: readonly string[];
}

const table = 'app_key_origins';

/** Stored for a key that allows every origin. Browsers never send it. */
const anyOrigin = '*';

/** Stores the origins of an app key. */
export async function saveOrigins(tx: Tx, { tenantId, id, allowedOrigins }: KeyOrigins): Promise<void> {
  const origins = allowedOrigins.length === 0 ? [anyOrigin] : [...new Set(allowedOrigins)];
  await tx(table).insert(origins.map((origin) => ({ tenant_id: tenantId, key_id: id, origin })));
}

/**
 * Deletes the origins of an app key, so that it no longer counts for `isOriginAllowed`. The key's own list does not
 * change.
 */
export async function deleteOrigins(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx(table).where({ tenant_id: tenantId, key_id: id }).delete();
}

const allowed = prepareQuery(
  `select 1 from app_key_origins join api_keys
     on api_keys.tenant_id = app_key_origins.tenant_id and api_keys.id = app_key_origins.key_id
   where app_key_origins.origin in (?, '${anyOrigin}')
     and api_keys.revoked_at is null
     and (api_keys.expires_at is null or api_keys.expires_at > cast(? as bigint)) limit 1`,
);

/** Reports whether a valid app key of any tenant allows the origin. */
export async function isOriginAllowed(db: Database, origin: string, now: number): Promise<boolean> {
  return (await allowed(db, [origin, now])).length > 0;
}
