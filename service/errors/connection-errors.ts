import { limits } from '../../specs/limits.ts';
import { ApiError } from './api-error.ts';

/** All connections that are allowed belong to callers with a key. */
export function tooManyConnections(): ApiError {
  return new ApiError(
    503,
    'too_many_connections',
    { error: 'too many connections: close some, or ask the operator to raise the limit' },
    { 'Retry-After': String(limits.retryAfterUnavailableSeconds) },
  );
}

/** The body of a request arrives too slowly, or no longer. */
export function bodyStalled({ bytes, windowMs }: { bytes: number; windowMs: number }): ApiError {
  return new ApiError(408, 'body_stalled', {
    error: `the request body stalled: send at least ${bytes} bytes in ${windowMs / 1_000} seconds`,
  });
}
