import { getOwn } from "./codec/json.ts";
import { ConnectionError, type SvcError, TimedOutError } from "./errors.ts";

/**
 * Reports whether an error is transient: no connection, an attempt that timed
 * out, 408, 429 or 5xx, unless the service asks for more time than a call waits.
 */
export function isRetryable(error: unknown): error is SvcError {
  const longestRetryAfterMs = 60_000;
  const { status = 0, retryAfterMs = 0 } = error as SvcError;
  return (
    retryAfterMs <= longestRetryAfterMs &&
    (error instanceof ConnectionError ||
      error instanceof TimedOutError ||
      status === 408 ||
      status === 429 ||
      status >= 500)
  );
}

/**
 * Least number of lost connections in a row before following a run or reading a
 * split stream ends, unless retries are turned off. With their delays, the
 * service may be away for about twenty seconds.
 */
const leastReconnects = 8;

/** Returns how many connections in a row may be lost. */
export function mostReconnects(maxRetries: number): number {
  return maxRetries && Math.max(maxRetries, leastReconnects);
}

/** Limits the retries of a client while the service is failing. */
export interface RetryBudget {
  /** Number of retries when it is full, as in the beginning. */
  readonly retryBudget: number;
  /** What is spent, in tenths of a retry, which keeps the arithmetic exact. */
  spent: number;
}

/** Bounds of retry delays, in milliseconds. */
export interface Backoff {
  retryDelayMs: number;
  maxRetryDelayMs: number;
}

/**
 * Returns the delay before a retry (1 is the first) in milliseconds. It is
 * random between 0 and a bound that doubles. The `Retry-After` of the service
 * replaces it, with a random time on top so that callers do not return all at
 * once: up to its own length, or up to the usual bound, at most a second. The
 * random time does not exceed the time left.
 */
export function retryDelayMs(
  error: Partial<SvcError>,
  retry: number,
  backoff: Backoff,
  leftMs: number,
): number {
  const asked = error.retryAfterMs;
  const usual = backoff.retryDelayMs * 2 ** (retry - 1);
  return asked === undefined
    ? Math.random() * Math.min(backoff.maxRetryDelayMs, usual)
    : asked +
        Math.random() *
          Math.min(
            backoff.maxRetryDelayMs,
            leftMs - asked,
            Math.max(asked, Math.min(usual, 1_000)),
          );
}

/**
 * Returns the `Retry-After` header (seconds or a date), or
 * `retry_after_seconds` of the body, as milliseconds from now.
 */
export function retryAfterMs(header = "", body: unknown): number | undefined {
  // Date.parse accepts many strings that are not HTTP dates.
  const date = /^\D.*GMT$/.test(header) && Date.parse(header);
  if (date) return Math.max(0, date - Date.now());
  const seconds = /^\d+\.?\d*$/.test(header)
    ? Number(header)
    : getOwn(body, "retry_after_seconds");
  return typeof seconds === "number" && seconds >= 0
    ? seconds * 1000
    : undefined;
}
