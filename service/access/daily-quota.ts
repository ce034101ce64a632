import type { Clock } from '../clock.ts';
import { quotaExceeded, quotaUnavailable } from '../errors/flow-errors.ts';
import { type DailyCaps, dayOf } from '../store/hot/run-operation.ts';
import type { InvocationDraws } from '../store/hot/invocation-draws.ts';
import type { Tenant } from '../store/tenants.ts';
import { limits } from '../../specs/limits.ts';

/**
 * Counts one invocation of the tenant before anything is computed for it (SPEC.md, Limits). Runs of flows are counted by their
 * own admission.
 *
 * @throws ApiError 429 when the day's are used up, 503 when that cannot be told
 */
export type InvocationQuota = (tenant: Tenant) => Promise<void>;

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

/** The operator's adjustments over the defaults of SPEC.md, Limits. */
export function dailyCaps({ limits: own }: Pick<Tenant, 'limits'>): DailyCaps {
  return {
    invocations: own.dailyInvocations ?? limits.dailyInvocations,
    executions: own.dailyExecutions ?? limits.dailyExecutions,
  };
}
