import type { Scope } from '../../specs/operations/operation.ts';
import { limits } from '../../specs/limits.ts';
import { ApiError } from './api-error.ts';

/** Refusals of the caller rather than of the request (SPEC.md, Authentication and Errors). */

/** The key is missing, malformed, unknown, expired or revoked: never told apart. */
export function unauthorized(): ApiError {
  return new ApiError(401, { error: 'unauthorized' });
}

/** The key is good and its tenant is gone. */
export function missingTenantContext(): ApiError {
  return new ApiError(401, { error: 'missing tenant context' });
}

/** The operator disabled the tenant; invocation routes only. */
export function tenantSuspended(): ApiError {
  return new ApiError(403, { error: 'tenant_suspended' });
}

export function lacksScope(scope: Scope): ApiError {
  return new ApiError(403, { error: `forbidden: token lacks '${scope}' scope` });
}

/** An app key came to a route that is for a tenant's own keys. */
export function appKeyRefused(): ApiError {
  return new ApiError(403, { error: 'forbidden: app keys may only invoke' });
}

export function rateLimitExceeded(): ApiError {
  return new ApiError(
    429,
    { error: 'rate limit exceeded' },
    { 'Retry-After': String(limits.retryAfterRateLimitSeconds) },
  );
}
