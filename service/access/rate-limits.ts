import { limits } from '../../specs/limits.ts';
import { rateLimitExceeded } from '../errors/access-errors.ts';
import { networkOf } from './caller-network.ts';
import type { Principal } from './principal.ts';
import type { Bucket, RateLimiter } from './rate-limiter.ts';

/** The rates of tenants, app keys and callers without a key. */
export interface RateLimits {
  /**
   * Counts one request of the caller.
   *
   * @param route `invocation`: the request is for a path under `/invocations/`
   * @throws ApiError 429 with `Retry-After: 1`
   */
  admit(principal: Principal, route: { invocation: boolean }): Promise<void>;
  /**
   * Counts one request without a key or with a refused key.
   *
   * @param address IP address of the caller; callers behind a proxy share the proxy's address, and an IPv6 /64 network counts as
   *   one caller
   * @throws ApiError 429 with `Retry-After: 1`
   */
  admitKeyless(address: string): Promise<void>;
  /**
   * Counts one login started from an address, in addition to the request itself, because each login writes to the database.
   *
   * @throws ApiError 429 with `Retry-After: 1`
   */
  admitLogin(address: string): Promise<void>;
}

/** A bucket with a display name for what it counts. */
interface NamedRate extends Bucket {
  counts: string;
}

/**
 * A request takes a token from each bucket that applies: the tenant's for all routes, the tenant's for invocation routes, and the
 * app key's. A request that a later bucket refuses does not return its tokens to the earlier ones, so repeated calls against a
 * narrow limit also count against the wide one.
 */
export function createRateLimits(limiter: RateLimiter): RateLimits {
  const takeOrRefuse = async (buckets: readonly NamedRate[]): Promise<void> => {
    const taken = await limiter.take(buckets);
    if (!taken.granted) throw rateLimitExceeded(taken.empty);
  };
  return {
    admit: ({ tenant, key }, { invocation }) => {
      const { rps, burst, invocationRps, invocationBurst } = tenant.limits;
      const buckets: NamedRate[] = [
        {
          name: `tenant ${tenant.id}`,
          counts: 'requests of the tenant',
          rps: rps ?? limits.tenantRate.rps,
          burst: burst ?? limits.tenantRate.burst,
        },
      ];
      if (invocation) {
        buckets.push({
          name: `invocations ${tenant.id}`,
          counts: 'invocation requests of the tenant',
          rps: invocationRps ?? limits.invocationRate.rps,
          burst: invocationBurst ?? limits.invocationRate.burst,
        });
      }
      if (key.kind === 'app') {
        buckets.push({
          name: `key ${key.id}`,
          counts: 'requests with this app key',
          rps: key.rateRps,
          burst: key.rateBurst,
        });
      }
      return takeOrRefuse(buckets);
    },
    admitKeyless: (address) =>
      takeOrRefuse([
        {
          name: `address ${networkOf(address)}`,
          counts: 'requests of your network without a valid key',
          ...limits.keylessRate,
        },
      ]),
    admitLogin: (address) =>
      takeOrRefuse([
        { name: `logins ${networkOf(address)}`, counts: 'logins of your network', ...limits.loginRate },
      ]),
  };
}
