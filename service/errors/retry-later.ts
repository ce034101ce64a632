import type { ErrorCode } from '../../specs/error-codes.ts';
import { limits } from '../../specs/limits.ts';
import { ApiError } from './api-error.ts';

/** A 429 that asks the caller to try again after some seconds, in the body and in `Retry-After`. */
export function tooMany(
  code: ErrorCode,
  message: string,
  seconds: number = limits.retryAfterRateLimitSeconds,
): ApiError {
  return new ApiError(
    429,
    code,
    { error: code, message, retry_after_seconds: seconds },
    { 'Retry-After': String(seconds) },
  );
}

/** A 503 that asks the caller to try again after some seconds, in the body and in `Retry-After`. */
export function unavailable(
  code: ErrorCode,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): ApiError {
  const seconds = limits.retryAfterUnavailableSeconds;
  return new ApiError(
    503,
    code,
    { error: code, message, retry_after_seconds: seconds },
    { 'Retry-After': String(seconds), ...headers },
  );
}
