import type { z } from 'zod';
import type { apiKeyRecord, mintedAppKey } from '../../../specs/operations/api-keys.ts';
import type { Scope } from '../../../specs/operations/operation.ts';
import { isoTime } from '../../clock.ts';
import type { ApiKey } from '../../store/api-keys.ts';

/** Presents a key without its secret. */
export function presentApiKey(key: ApiKey): z.input<typeof apiKeyRecord> {
  return {
    ...common(key),
    // Full keys have no individual rate.
    ...(key.kind === 'app' && ratesOf(key)),
    kind: key.kind,
    key_hint: key.keyHint,
    revoked_at: timeOrNull(key.revokedAt),
    last_used_at: timeOrNull(key.lastUsedAt),
  };
}

/** Presents a new key. No other response contains the raw key. */
export function presentMintedKey(key: ApiKey, secret: string): z.input<typeof mintedAppKey> {
  return { ...common(key), ...ratesOf(key), key: secret };
}

function ratesOf(key: ApiKey): Pick<z.input<typeof mintedAppKey>, 'rate_rps' | 'rate_burst'> {
  return { rate_rps: key.rateRps, rate_burst: key.rateBurst };
}

function common(key: ApiKey): Omit<z.input<typeof mintedAppKey>, 'key' | 'rate_rps' | 'rate_burst'> {
  return {
    id: key.id,
    name: key.name,
    // `createApiKey` is the only writer, and accepts only scopes.
    scopes: key.scopes as Scope[],
    graph_ids: key.graphIds,
    allowed_origins: key.allowedOrigins,
    created_at: isoTime(key.createdAt),
    expires_at: timeOrNull(key.expiresAt),
  };
}

function timeOrNull(at: number | null): string | null {
  return at === null ? null : isoTime(at);
}
