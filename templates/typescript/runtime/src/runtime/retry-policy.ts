import { getOwn, isObject } from "./codec/json.ts";
import { ConnectionError, type SvcError, TimedOutError } from "./errors.ts";

/** Longest `Retry-After` that a call honours. Beyond it, the call fails. */
const longestRetryAfterMs = 60_000;

/**
 * Reports whether an error is transient: no connection, an attempt that timed
 * out, 408, 429 or 5xx.
 */
export function isRetryable(error: unknown): error is SvcError {
  if (error instanceof ConnectionError || error instanceof TimedOutError)
    return true;
  const { status = 0 } = error as SvcError;
  return status === 408 || status === 429 || status >= 500;
}

/**
 * Reports whether the service is healthy and said when to come again. Such
 * retries are limited by the timeout of the call only.
 */
export function isTurnedAway({ status, retryAfterMs }: SvcError): boolean {
  return status === 429 && retryAfterMs !== undefined;
}

/** Bounds of retry delays, in milliseconds. */
export interface Backoff {
  retryDelayMs: number;
  maxRetryDelayMs: number;
}

/**
 * Returns the delay before a retry (1 is the first) in milliseconds. The
 * `Retry-After` of the service takes precedence, with a random time on top so
 * that callers do not return all at once; Infinity means that it is too long.
 * Otherwise the delay is random between 0 and a bound that doubles.
 */
export function retryDelayMs(
  error: SvcError,
  retry: number,
  backoff: Backoff,
): number {
  const asked = error.retryAfterMs;
  const bound = asked ?? backoff.retryDelayMs * 2 ** (retry - 1);
  const jitter = Math.random() * Math.min(backoff.maxRetryDelayMs, bound);
  if (asked === undefined) return jitter;
  return asked <= longestRetryAfterMs ? asked + jitter : Infinity;
}

/**
 * Returns the `Retry-After` header (seconds or a date), or
 * `retry_after_seconds` of the body, as milliseconds from now.
 */
export function retryAfterMs(header = "", body: unknown): number | undefined {
  if (/^\d+\.?\d*$/.test(header)) return Number(header) * 1000;
  // Date.parse accepts many strings that are not HTTP dates.
  const date = /^\D.*GMT$/.test(header) && Date.parse(header);
  if (date) return Math.max(0, date - Date.now());
  const said = isObject(body) && getOwn(body, "retry_after_seconds");
  return typeof said === "number" && said >= 0 ? said * 1000 : undefined;
}
