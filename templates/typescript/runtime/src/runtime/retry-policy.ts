import { getOwn, isObject } from "./codec/json.ts";
import { ConnectionError, StatusError, type SvcError } from "./errors.ts";

/** A wait that the service asks for is kept up to this long, then the call fails at once. */
const longestRetryAfterMs = 60_000;

/** Whether another try may succeed: connection errors, 408, 429 and 5xx. */
export function isRetryable(error: SvcError): boolean {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof StatusError) || error.status === undefined)
    return false;
  return error.status === 408 || error.status === 429 || error.status >= 500;
}

/** Bounds of the waits between tries, in milliseconds. */
export interface Backoff {
  initialMs: number;
  maximumMs: number;
}

/**
 * How long to wait before a retry (1 is the first), in milliseconds, or undefined
 * when the service asks for more patience than a call has. Its `Retry-After` goes
 * first; without one the wait is random between 0 and a bound that doubles.
 */
export function retryDelayMs(
  error: SvcError,
  retry: number,
  backoff: Backoff,
): number | undefined {
  if (error.retryAfterMs !== undefined)
    return error.retryAfterMs <= longestRetryAfterMs
      ? error.retryAfterMs
      : undefined;
  const bound = Math.min(
    backoff.maximumMs,
    backoff.initialMs * 2 ** (retry - 1),
  );
  return Math.random() * bound;
}

/**
 * Reads the header `Retry-After` (seconds or a date) or, without it, the body's
 * `retry_after_seconds`, as milliseconds from now.
 */
export function retryAfterMs(
  header: string | undefined,
  body: unknown,
): number | undefined {
  if (header !== undefined) {
    const text = header.trim();
    if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
    const date = Date.parse(text);
    if (!Number.isNaN(date)) return Math.max(0, date - Date.now());
  }
  const seconds = isObject(body)
    ? getOwn(body, "retry_after_seconds")
    : undefined;
  return typeof seconds === "number" && seconds >= 0
    ? seconds * 1000
    : undefined;
}
