import type { Operation } from '../../specs/operations/operation.ts';
import { tenantSuspended } from '../errors/access-errors.ts';
import { originRefused } from '../errors/app-key-errors.ts';
import { takesOrigin } from './origins.ts';
import type { Principal } from './principal.ts';
import type { RateLimits } from './rate-limits.ts';
import { requireFullKey, requireScope } from './scopes.ts';

/** Where a request came from. */
export interface RequestSource {
  /** Of the page that a browser called from. */
  origin: string | undefined;
  /** IP address of the connection. */
  address: string;
}

/**
 * Lets a caller through to an operation, or throws the refusal of SPEC.md, Authentication.
 *
 * @param principal undefined for nobody in particular, where the operation does without a key
 */
export type Admission = (
  operation: Operation,
  principal: Principal | undefined,
  source: RequestSource,
) => void;

/** From where, whether the tenant may, how often, with which kind of key, with which scope: asked in this order. */
export function createAdmission(rates: RateLimits): Admission {
  return (operation, principal, { origin, address }) => {
    if (!principal) {
      // Probes come from machines that mean well.
      if (operation.family !== 'system') rates.admitKeyless(address);
      return;
    }
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
