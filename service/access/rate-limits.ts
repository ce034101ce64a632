import { limits } from '../../specs/limits.ts';
import type { Clock } from '../clock.ts';
import { rateLimitExceeded } from '../errors/access-errors.ts';
import type { Principal } from './principal.ts';
import { createTokenBuckets } from './token-buckets.ts';

/** Admits requests by the rates of SPEC.md, Limits. */
export interface RateLimits {
  /**
   * Counts one request of the caller; `invocation`: it came under `/invocations/`.
   * @throws ApiError 429 with `Retry-After: 1`.
   */
  admit(principal: Principal, route: { invocation: boolean }): void;
  /**
   * Counts one request that came without a key, or with one that was refused.
   * @param address of the caller; behind a proxy all have that of the proxy
   * @throws ApiError 429 with `Retry-After: 1`.
   */
  admitKeyless(address: string): void;
}

/**
 * Three buckets: the tenant's over all routes, its additional one for invocation routes, and the app key's own. A request
 * needs a token of each that applies; one that a later bucket refuses has used up those of the earlier ones, so that hammering
 * a narrow limit counts against the wide one too.
 */
export function createRateLimits(clock: Clock): RateLimits {
  const buckets = createTokenBuckets(clock);
  return {
    admit({ tenant, key }, { invocation }) {
      const adjusted = tenant.limits;
      const tenantRate = {
        rps: adjusted.rps ?? limits.tenantRate.rps,
        burst: adjusted.burst ?? limits.tenantRate.burst,
      };
      if (!buckets.take(`tenant ${tenant.id}`, tenantRate)) throw rateLimitExceeded();
      const invocationRate = {
        rps: adjusted.invocationRps ?? limits.invocationRate.rps,
        burst: adjusted.invocationBurst ?? limits.invocationRate.burst,
      };
      if (invocation && !buckets.take(`invocations ${tenant.id}`, invocationRate)) throw rateLimitExceeded();
      const keyRate = { rps: key.rateRps, burst: key.rateBurst };
      if (key.kind === 'app' && !buckets.take(`key ${key.id}`, keyRate)) throw rateLimitExceeded();
    },
    admitKeyless(address) {
      if (!buckets.take(`address ${address}`, limits.keylessRate)) throw rateLimitExceeded();
    },
  };
}
