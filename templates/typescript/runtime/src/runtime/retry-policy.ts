import { getOwn, isObject } from "./codec/json.ts";
import { ConnectionError, StatusError, type SvcError } from "./errors.ts";

/** A wait that the service asks for is kept up to this long, then the call fails at once. */
const longestRetryAfterMs = 60_000;

/** Whether another try may succeed: connection errors, 408, 429 and 5xx. */
export function isRetryable(error: unknown): error is SvcError {
  if (error instanceof ConnectionError) return true;
  const status = error instanceof StatusError ? Number(error.status) : 0;
  return status === 408 || status === 429 || status >= 500;
}

/** Bounds of the waits between tries, in milliseconds. */
export interface Backoff {
  retryDelayMs: number;
  maxRetryDelayMs: number;
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
  const asked = error.retryAfterMs;
  if (asked !== undefined)
    return asked <= longestRetryAfterMs ? asked : undefined;
  const bound = backoff.retryDelayMs * 2 ** (retry - 1);
  return Math.random() * Math.min(backoff.maxRetryDelayMs, bound);
}

/**
 * Reads the header `Retry-After` (seconds or a date) or, without it, the body's
 * `retry_after_seconds`, as milliseconds from now.
 */
export function retryAfterMs(header = "", body: unknown): number | undefined {
  if (/^\d+\.?\d*$/.test(header)) return Number(header) * 1000;
  // Date.parse finds a date in much that is none.
  const date = /^\D.*GMT$/.test(header) && Date.parse(header);
  if (date) return Math.max(0, date - Date.now());
  const said = isObject(body) && getOwn(body, "retry_after_seconds");
  return typeof said === "number" && said >= 0 ? said * 1000 : undefined;
}
