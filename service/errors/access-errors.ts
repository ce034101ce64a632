import type { Scope } from '../../specs/operations/operation.ts';
import { rateLimitText, suspendedText, unauthorizedText } from '../../specs/operations/access-texts.ts';
import { limits } from '../../specs/limits.ts';
import { ApiError } from './api-error.ts';

/**
 * The key is missing, malformed, unknown, expired or revoked. The response is always the same, so that it reveals nothing about
 * keys.
 */
export function unauthorized(): ApiError {
  return new ApiError(401, 'unauthorized', { error: 'unauthorized', message: unauthorizedText });
}

/** The key is valid, but its tenant no longer exists. */
export function missingTenantContext(): ApiError {
  return new ApiError(401, 'missing_tenant_context', { error: 'missing tenant context' });
}

/** The operator suspended the tenant. Only invocation routes refuse it. */
export function tenantSuspended(): ApiError {
  return new ApiError(403, 'tenant_suspended', { error: 'tenant_suspended', message: suspendedText });
}

/** @param detail the cause and what to do, if the error's text does not say it */
export function lacksScope(scope: Scope, detail?: string): ApiError {
  const error = `forbidden: token lacks '${scope}' scope`;
  return new ApiError(403, 'missing_scope', {
    error,
    ...(detail !== undefined && { message: `${error}: ${detail}` }),
  });
}

/** An Instance is named after another tenant. Its handle is a scope that the key does not have. */
export function otherHandle(name: string, handle: string): ApiError {
  return lacksScope(
    'write',
    `${JSON.stringify(name)} has the handle of another tenant: name it ${handle}/<name>`,
  );
}

/** The route does not accept app keys. */
export function appKeyRefused(): ApiError {
  return new ApiError(403, 'app_key_refused', {
    error: 'forbidden: app keys may only invoke flows: use a full key',
  });
}

/** @param rate the rate that is exceeded */
export function rateLimitExceeded(rate: Parameters<typeof rateLimitText>[0]): ApiError {
  return new ApiError(
    429,
    'rate_limited',
    { error: 'rate limit exceeded', message: rateLimitText(rate) },
    { 'Retry-After': String(limits.retryAfterRateLimitSeconds) },
  );
}
