import type { Clock } from '../clock.ts';
import { quotaExceeded, quotaUnavailable } from '../errors/flow-errors.ts';
import { type DailyCaps, dayOf } from '../store/commit/run-operation.ts';
import type { InvocationDraws } from '../store/commit/invocation-draws.ts';
import type { Tenant } from '../store/tenants.ts';
import { limits } from '../../specs/limits.ts';

/**
 * Counts one invocation of the tenant before its work starts. Flow runs are counted by their own admission.
 *
 * @throws ApiError 429 if the daily quota is exhausted, 503 if it cannot be read
 */
export type InvocationQuota = (tenant: Tenant) => Promise<void>;

/**
 * Draws from the units of the UTC day. A drawn unit is never returned.
 *
 * @param onError receives the error of a failed draw, which the caller of the quota gets as a 503
 */
export function createInvocationQuota(
  draws: Pick<InvocationDraws, 'draw'>,
  clock: Clock,
  onError: (error: unknown) => void,
): InvocationQuota {
  return async (tenant) => {
    const now = clock.now();
    const cap = dailyCaps(tenant).invocations;
    const drawn = await draws.draw({ tenantId: tenant.id, day: dayOf(now), cap }).catch((error: unknown) => {
      onError(error);
      throw quotaUnavailable();
    });
    if (!drawn) throw quotaExceeded('invocations', { cap, now });
  };
}

/** Returns the daily caps of a tenant: the operator's adjustments, or the defaults. */
export function dailyCaps({ limits: own }: Pick<Tenant, 'limits'>): DailyCaps {
  return {
    invocations: own.dailyInvocations ?? limits.dailyInvocations,
    executions: own.dailyExecutions ?? limits.dailyExecutions,
  };
}
