import { isoTime } from '../../clock.ts';
import type { ApiKey } from '../../store/api-keys.ts';

/** A key on the wire, without its secret (DESIGN.md 7). */
export function presentApiKey(key: ApiKey): object {
  return {
    ...minted(key),
    kind: key.kind,
    key_hint: key.keyHint,
    revoked_at: timeOrNull(key.revokedAt),
    last_used_at: timeOrNull(key.lastUsedAt),
  };
}

/** The answer to its minting: the only one that has the raw key. */
export function presentMintedKey(key: ApiKey, secret: string): object {
  return { ...minted(key), key: secret };
}

function minted(key: ApiKey): object {
  return {
    id: key.id,
    name: key.name,
    scopes: key.scopes,
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
