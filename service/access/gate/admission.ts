import { tenantSuspended } from '../../errors/access-errors.ts';
import { originRefused } from '../../errors/app-key-errors.ts';
import { takesOrigin } from '../origins.ts';
import type { Principal } from '../principal.ts';
import type { RateLimits } from '../rate-limits.ts';
import { requireFullKey, requireScope } from '../scopes.ts';
import type { GateRequest } from './gate-request.ts';

/**
 * Admits a caller to an operation.
 *
 * @param principal undefined for a request without a key
 * @throws ApiError 403 or 429
 */
export type Admission = (
  request: Omit<GateRequest, 'authorization'>,
  principal: Principal | undefined,
) => Promise<void>;

/** Checks, in this order: origin, suspension, rates, kind of key, scope. */
export function createAdmission(rates: RateLimits): Admission {
  return async ({ operation, origin, address }, principal) => {
    if (!principal) {
      // Probes are not limited: they come from the operator's own machines.
      if (operation.family !== 'system') await rates.admitKeyless(address);
      return;
    }
    const { key, tenant } = principal;
    if (origin !== undefined && key.kind === 'app' && !takesOrigin(key, origin)) throw originRefused();
    const invocation = operation.path.startsWith('/invocations/');
    if (invocation && tenant.status === 'suspended') throw tenantSuspended();
    await rates.admit(principal, { invocation });
    if (operation.caller === 'full-key') requireFullKey(principal);
    // Operations say which of them an app key may call; scopes apply to full keys.
    if (operation.scope && key.kind === 'full') requireScope(principal, operation.scope);
  };
}
