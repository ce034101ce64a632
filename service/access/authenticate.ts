import type { Clock } from '../clock.ts';
import type { ApiError } from '../errors/api-error.ts';
import { missingTenantContext, unauthorized } from '../errors/access-errors.ts';
import type { Database } from '../store/database.ts';
import { findCaller } from '../store/hot/find-caller.ts';
import { hashSecret, secretFrom } from './api-key-secret.ts';
import type { KeyUse } from './key-use.ts';
import type { Principal } from './principal.ts';
import type { RateLimits } from './rate-limits.ts';

/**
 * Resolves an `Authorization` header to its caller.
 *
 * @param address of the caller; what it is refused counts as requests without a key do
 * @throws ApiError the 401 of SPEC.md, Authentication; 429 once the address has used up its rate, which no good key draws on
 */
export type Authenticator = (authorization: string | undefined, address: string) => Promise<Principal>;

export interface AuthenticatorOptions {
  db: Database;
  clock: Clock;
  rates: Pick<RateLimits, 'admitKeyless'>;
  /** Told of every good key. */
  keyUse?: KeyUse;
}

/**
 * Every request asks the database, so that a revocation applies on the key's next use: there is no cache of keys. A suspended
 * tenant's key resolves; which routes it is refused on is the caller's to say.
 */
export function createAuthenticator({ db, clock, rates, keyUse }: AuthenticatorOptions): Authenticator {
  const refused = (address: string): ApiError => {
    rates.admitKeyless(address);
    return unauthorized();
  };
  return async (authorization, address) => {
    const secret = secretFrom(authorization);
    if (secret === undefined) throw refused(address);
    const caller = await findCaller(db, hashSecret(secret));
    if (caller === undefined) throw refused(address);
    const { key, tenant } = caller;
    const now = clock.now();
    if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now)) throw refused(address);
    if (tenant === undefined) throw missingTenantContext();
    keyUse?.note(key, now);
    return { tenant, key };
  };
}
