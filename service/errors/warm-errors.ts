import { ApiError } from './api-error.ts';
import { tooMany, unavailable } from './retry-later.ts';

/** `graph_id` is missing or invalid. */
export function invalidWarmRequest(detail: string): ApiError {
  return new ApiError(400, 'invalid_request', { error: 'invalid_request', message: detail });
}

/** The flow belongs to another tenant. */
export function warmForbidden(): ApiError {
  return new ApiError(403, 'forbidden', { error: 'forbidden', message: 'not authorized to warm this flow' });
}

/** The app key exceeds its warm rate. */
export function warmRateLimited(retryAfterSeconds: number): ApiError {
  const message = `the app key exceeds its warm rate: retry in ${retryAfterSeconds} s`;
  return tooMany('warm_rate_limited', message, retryAfterSeconds);
}

/** Warming is disabled, or the process is shutting down. */
export function warmUnavailable(): ApiError {
  return unavailable('warm_unavailable', 'warming is unavailable');
}
