import type { ErrorCode } from '../../specs/error-codes.ts';
import { limits } from '../../specs/limits.ts';
import { ApiError } from './api-error.ts';

/** Refusals of a decision on a pause. */

/** The body is not JSON, lacks `pause_id`, or has a field of another type. */
export function invalidResumeRequest(detail: string): ApiError {
  return refusal(400, 'INVALID_ARGUMENT', detail);
}

/** The decision does not match its message, or is too large. The pause is still pending. */
export function invalidResumeValue(detail: string): ApiError {
  return refusal(400, 'INVALID_RESUME_VALUE', detail);
}

/** The decision exceeds the size limit. */
export function resumeValueTooLarge(): ApiError {
  return invalidResumeValue(`value exceeds the limit of ${limits.inputBytes} bytes`);
}

/** The caller may decide on the pause, but has named the wrong execution. */
export function pauseOfOtherExecution(): ApiError {
  return refusal(400, 'PAUSE_EXECUTION_MISMATCH', 'the pause belongs to another execution');
}

/** The execution is unknown, belongs to another tenant, or was not started by the calling app key. */
export function pausedExecutionNotFound(): ApiError {
  return refusal(404, 'EXECUTION_NOT_FOUND', 'execution not found');
}

/** The pause is unknown, belongs to another tenant or to an execution that the caller may not see, or its link is not valid. */
export function pauseNotFound(): ApiError {
  return refusal(404, 'PAUSE_NOT_FOUND', 'pause not found');
}

/** The pause has ended without a decision. A further decision on a decided pause is not refused, but recorded as late. */
export function pauseNotWaiting(status: 'EXPIRED' | 'CANCELLED'): ApiError {
  const text = status === 'EXPIRED' ? 'the pause has expired' : 'the pause was cancelled';
  return refusal(409, 'PAUSE_NOT_WAITING', text);
}

/** The link of a pause is valid for as long as the pause may wait, even after it is decided. */
export function resumeLinkExpired(): ApiError {
  return refusal(409, 'PAUSE_NOT_WAITING', 'the link has expired');
}

/** The form is larger than anything a human types. */
export function resumeFormTooLarge(): ApiError {
  return invalidResumeValue(`the form exceeds the limit of ${limits.resumeFormBytes} bytes`);
}

/** The form of a resume link has no field `value`, for example because it is JSON with the content type of a form. */
export function formWithoutValue(): ApiError {
  return invalidResumeValue(
    'the form has no field value: send JSON with the header Content-Type: application/json',
  );
}

/** The execution has ended, although its pause still waits. */
export function executionNotResumable(status: string): ApiError {
  return refusal(409, 'EXECUTION_NOT_RESUMABLE', `the execution has ended: ${status}`);
}

/** The decision could not be delivered. Whether it takes effect is unknown. */
export function resumeUnavailable(): ApiError {
  return unavailableLater('UNAVAILABLE', 'the decision could not be delivered: repeat the request');
}

/** The secrets of the run cannot be read at the moment. The pause is still pending. */
export function resumeWithoutSecrets(detail: string): ApiError {
  return unavailableLater('SECRETS_UNAVAILABLE', `the decision was not taken: ${detail}`);
}

function unavailableLater(error: Uppercase<ErrorCode>, message: string): ApiError {
  const seconds = limits.retryAfterUnavailableSeconds;
  return new ApiError(
    503,
    error.toLowerCase() as ErrorCode,
    { error, message, retry_after_seconds: seconds },
    { 'Retry-After': String(seconds) },
  );
}

function refusal(status: number, error: Uppercase<ErrorCode>, message: string): ApiError {
  return new ApiError(status, error.toLowerCase() as ErrorCode, { error, message });
}
