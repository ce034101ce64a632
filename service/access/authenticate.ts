import type { Clock } from '../clock.ts';
import { missingTenantContext, unauthorized } from '../errors/access-errors.ts';
import type { Database } from '../store/database.ts';
import { findCaller } from '../store/hot/find-caller.ts';
import { hashSecret, secretFrom } from './api-key-secret.ts';
import type { KeyUse } from './key-use.ts';
import type { Principal } from './principal.ts';

/** Resolves an `Authorization` header to its caller; throws the 401 of SPEC.md, Authentication. */
export type Authenticator = (authorization: string | undefined) => Promise<Principal>;

export interface AuthenticatorOptions {
  db: Database;
  clock: Clock;
  /** Told of every good key. */
  keyUse?: KeyUse;
}

/**
 * Every request asks the database, so that a revocation applies on the key's next use: there is no cache of keys. A suspended
 * tenant's key resolves; which routes it is refused on is the caller's to say.
 */
export function createAuthenticator({ db, clock, keyUse }: AuthenticatorOptions): Authenticator {
  return async (authorization) => {
    const secret = secretFrom(authorization);
    if (secret === undefined) throw unauthorized();
    const caller = await findCaller(db, hashSecret(secret));
    if (caller === undefined) throw unauthorized();
    const { key, tenant } = caller;
    const now = clock.now();
    if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now)) throw unauthorized();
    if (tenant === undefined) throw missingTenantContext();
    keyUse?.note(key, now);
    return { tenant, key };
  };
}
