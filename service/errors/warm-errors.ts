import { limits } from '../../specs/limits.ts';
import { ApiError } from './api-error.ts';

/** Refusals of warming a flow (SPEC.md, Errors, Pre-warm). */

/** `graph_id` is missing or cannot be one; `detail` says what to send. */
export function invalidWarmRequest(detail: string): ApiError {
  return new ApiError(400, { error: 'invalid_request', message: detail });
}

/** Another tenant's flow. */
export function warmForbidden(): ApiError {
  return new ApiError(403, { error: 'forbidden', message: 'not authorized to warm this flow' });
}

/** An app key warms faster than it may. */
export function warmRateLimited(retryAfterSeconds: number): ApiError {
  return new ApiError(
    429,
    {
      error: 'warm_rate_limited',
      message: `this app key warms too often: wait ${retryAfterSeconds} s`,
      retry_after_seconds: retryAfterSeconds,
    },
    { 'Retry-After': String(retryAfterSeconds) },
  );
}

/** The operator turned warming off, or this process is about to end. */
export function warmUnavailable(): ApiError {
  const seconds = limits.retryAfterUnavailableSeconds;
  return new ApiError(
    503,
    { error: 'warm_unavailable', message: 'nothing is warmed here for now', retry_after_seconds: seconds },
    { 'Retry-After': String(seconds) },
  );
}
