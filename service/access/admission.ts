import type { Operation } from '../../specs/operations/operation.ts';
import { tenantSuspended } from '../errors/access-errors.ts';
import { originRefused } from '../errors/app-key-errors.ts';
import { takesOrigin } from './origins.ts';
import type { Principal } from './principal.ts';
import type { RateLimits } from './rate-limits.ts';
import { requireFullKey, requireScope } from './scopes.ts';

/**
 * Lets a caller through to an operation, or throws the refusal of SPEC.md, Authentication.
 *
 * @param origin of the page that a browser called from
 */
export type Admission = (operation: Operation, principal: Principal, origin: string | undefined) => void;

/** From where, whether the tenant may, how often, with which kind of key, with which scope: asked in this order. */
export function createAdmission(rates: RateLimits): Admission {
  return (operation, principal, origin) => {
    const { key, tenant } = principal;
    if (origin !== undefined && key.kind === 'app' && !takesOrigin(key, origin)) throw originRefused();
    const invocation = operation.path.startsWith('/invocations/');
    if (invocation && tenant.status === 'suspended') throw tenantSuspended();
    rates.admit(principal, { invocation });
    if (operation.caller !== 'any-key') requireFullKey(principal);
    // What an app key may do is said by the operations that take one, not by scopes.
    if (operation.scope && key.kind === 'full') requireScope(principal, operation.scope);
  };
}
