import type { z } from 'zod';
import type { apiKeyRecord, mintedAppKey } from '../../../specs/operations/api-keys.ts';
import type { Scope } from '../../../specs/operations/operation.ts';
import { isoTime } from '../../clock.ts';
import type { ApiKey } from '../../store/api-keys.ts';

/** Presents a key without its secret. */
export function presentApiKey(key: ApiKey): z.input<typeof apiKeyRecord> {
  return {
    ...minted(key),
    kind: key.kind,
    key_hint: key.keyHint,
    revoked_at: timeOrNull(key.revokedAt),
    last_used_at: timeOrNull(key.lastUsedAt),
  };
}

/** Presents a new key. No other answer contains the raw key. */
export function presentMintedKey(key: ApiKey, secret: string): z.input<typeof mintedAppKey> {
  return { ...minted(key), key: secret };
}

function minted(key: ApiKey): Omit<z.input<typeof mintedAppKey>, 'key'> {
  return {
    id: key.id,
    name: key.name,
    // `createApiKey` is the only writer, and takes scopes.
    scopes: key.scopes as Scope[],
    graph_ids: key.graphIds,
    allowed_origins: key.allowedOrigins,
    rate_rps: key.rateRps,
    rate_burst: key.rateBurst,
    created_at: isoTime(key.createdAt),
    expires_at: timeOrNull(key.expiresAt),
  };
}

function timeOrNull(at: number | null): string | null {
  return at === null ? null : isoTime(at);
}
