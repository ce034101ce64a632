import type { Clock } from '../clock.ts';
import { quotaExceeded, quotaUnavailable } from '../errors/flow-errors.ts';
import { type DailyCaps, dayOf } from '../store/commit/run-operation.ts';
import type { Database } from '../store/database.ts';
import { findDailyUsage } from '../store/prepared/find-daily-usage.ts';
import type { Tenant } from '../store/tenants.ts';
import { dailyCaps } from './daily-quota.ts';

/**
 * Reads how much of their daily quotas tenants have used, so that a request beyond the quota is refused before its body is
 * parsed. Draws nothing: a request that passes may still find the quota used up.
 */
export interface QuotaUse {
  /** @throws ApiError 503 if it cannot be read */
  of(tenant: Tenant): Promise<DailyCaps>;
  /** @throws ApiError 429 if the daily invocations are used up, 503 if that cannot be read */
  requireInvocation(tenant: Tenant): Promise<void>;
}

/**
 * Reads the database on each call. Concurrent reads for one tenant are shared.
 *
 * @param onError receives the error of a failed read, which the caller gets as a 503
 */
export function createQuotaUse({
  db,
  clock,
  onError,
}: {
  db: Database;
  clock: Clock;
  onError: (error: unknown) => void;
}): QuotaUse {
  const usageOf = ({ id }: Tenant, now: number): Promise<DailyCaps> =>
    findDailyUsage(db, id, dayOf(now)).catch((error: unknown) => {
      onError(error);
      throw quotaUnavailable();
    });
  return {
    of: (tenant) => usageOf(tenant, clock.now()),
    requireInvocation: async (tenant) => {
      const now = clock.now();
      const cap = dailyCaps(tenant).invocations;
      if ((await usageOf(tenant, now)).invocations >= cap) throw quotaExceeded('invocations', { cap, now });
    },
  };
}
