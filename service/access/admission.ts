import type { Operation } from '../../specs/operations/operation.ts';
import { tenantSuspended } from '../errors/access-errors.ts';
import type { Authenticator } from './authenticate.ts';
import type { Principal } from './principal.ts';
import type { RateLimits } from './rate-limits.ts';
import { requireFullKey, requireScope } from './scopes.ts';

/** Lets a caller through to an operation, or throws the refusal of SPEC.md, Authentication. */
export type Admission = (operation: Operation, authorization: string | undefined) => Promise<Principal>;

/** Who calls, whether the tenant may, how often, with which kind of key, with which scope: asked in this order. */
export function createAdmission(authenticate: Authenticator, rates: RateLimits): Admission {
  return async (operation, authorization) => {
    const principal = await authenticate(authorization);
    const invocation = operation.path.startsWith('/invocations/');
    if (invocation && principal.tenant.status === 'suspended') throw tenantSuspended();
    rates.admit(principal, { invocation });
    if (operation.caller !== 'any-key') requireFullKey(principal);
    if (operation.scope) requireScope(principal, operation.scope);
    return principal;
  };
}
