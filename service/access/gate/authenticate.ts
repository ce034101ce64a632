import { missingTenantContext, unauthorized } from '../../errors/access-errors.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { databaseUnavailable } from '../../errors/request-errors.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../store/database.ts';
import { findCaller } from '../../store/prepared/find-caller.ts';
import { hashSecret, secretFrom } from '../api-key-secret.ts';
import type { KeyUse } from '../key-use.ts';
import type { Principal } from '../principal.ts';
import type { RateLimits } from '../rate-limits.ts';

/**
 * Resolves an `Authorization` header to its caller.
 *
 * @param address IP address of the caller; a refused key counts against its rate for requests without a key
 * @throws ApiError 401, 429 once the address has used up its rate, or 503 without the database; valid keys do not draw on that rate
 */
export type Authenticator = (authorization: string | undefined, address: string) => Promise<Principal>;

interface AuthenticatorOptions {
  db: Database;
  clock: Clock;
  rates: Pick<RateLimits, 'admitKeyless'>;
  /** Records each use of a valid key. */
  keyUse: Pick<KeyUse, 'note'>;
  /** Receives the error of a key that could not be read. */
  onError: (error: unknown) => void;
}

/**
 * Reads the key from the database on every request: keys are not cached, so a revocation applies on the key's next use. The key
 * of a suspended tenant resolves; the caller of this function decides which routes refuse it.
 */
export function createAuthenticator({
  db,
  clock,
  rates,
  keyUse,
  onError,
}: AuthenticatorOptions): Authenticator {
  const refused = async (address: string): Promise<ApiError> => {
    await rates.admitKeyless(address);
    return unauthorized();
  };
  return async (authorization, address) => {
    const secret = secretFrom(authorization);
    if (secret === undefined) throw await refused(address);
    const caller = await findCaller(db, hashSecret(secret)).catch((error: unknown) => {
      onError(error);
      throw databaseUnavailable();
    });
    if (caller === undefined) throw await refused(address);
    const { key, tenant } = caller;
    const now = clock.now();
    const isExpired = key.expiresAt !== null && key.expiresAt <= now;
    if (key.revokedAt !== null || isExpired) throw await refused(address);
    if (tenant === undefined) throw missingTenantContext();
    keyUse.note(key, now);
    return { tenant, key };
  };
}
