import { limits } from '../../specs/limits.ts';
import type { Scope } from '../../specs/operations/operation.ts';
import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import { type ApiKey, insertApiKey } from '../store/api-keys.ts';
import type { Tx } from '../store/database.ts';
import { hashSecret, makeSecret } from './api-key-secret.ts';

/** A key to create. The caller has checked the scopes, graphs and origins. */
export interface NewApiKey {
  tenantId: string;
  name: string;
  kind: ApiKey['kind'];
  scopes: readonly Scope[];
  /** App keys only. */
  graphIds?: readonly string[];
  /** App keys only. Empty or absent: pages of any origin may use the key. */
  allowedOrigins?: readonly string[];
  /** Rate of an app key. Default: 5 requests per second, burst 10. */
  rateRps?: number;
  rateBurst?: number;
  /** Epoch milliseconds, or `null` if the key never expires. */
  expiresAt?: number | null;
}

/** Creates and stores a key. Returns the raw key as `secret`; it is not stored and cannot be shown again. */
export async function createApiKey(
  tx: Tx,
  { ids, clock }: { ids: Ids; clock: Clock },
  options: NewApiKey,
): Promise<{ key: ApiKey; secret: string }> {
  const secret = makeSecret(ids, options.kind);
  const key: ApiKey = {
    tenantId: options.tenantId,
    id: ids.ulid(),
    name: options.name,
    kind: options.kind,
    keyHash: hashSecret(secret),
    keyHint: secret.slice(-4),
    scopes: [...options.scopes],
    graphIds: [...(options.graphIds ?? [])],
    allowedOrigins: [...(options.allowedOrigins ?? [])],
    rateRps: options.rateRps ?? limits.appKeyRate.rps,
    rateBurst: options.rateBurst ?? limits.appKeyRate.burst,
    createdAt: clock.now(),
    expiresAt: options.expiresAt ?? null,
    revokedAt: null,
    lastUsedAt: null,
  };
  await insertApiKey(tx, key);
  return { key, secret };
}
