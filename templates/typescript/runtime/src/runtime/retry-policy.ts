import { getOwn } from "./codec/json.ts";
import { ConnectionError, type SvcError, TimedOutError } from "./errors.ts";

/**
 * Reports whether an error is transient: a connection error, a timed-out
 * attempt, 408, 429 or 5xx, unless its `Retry-After` is too long.
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
 * Minimum number of consecutive reconnects when following a run or reading a
 * split stream, unless retries are disabled. With their delays, they survive an
 * outage of about twenty seconds.
 */
const leastReconnects = 8;

/** Returns the maximum number of consecutive reconnects. */
export function mostReconnects(maxRetries: number): number {
  return maxRetries && Math.max(maxRetries, leastReconnects);
}

/** A token bucket that limits the retries of a client during an outage. */
export interface RetryBudget {
  /** Capacity in retries. The bucket starts full. */
  readonly retryBudget: number;
  /** Spent tokens in tenths of a retry, which keeps the arithmetic exact. */
  spent: number;
}

/** Bounds of retry delays, in milliseconds. */
export interface Backoff {
  retryDelayMs: number;
  maxRetryDelayMs: number;
}

/**
 * Returns the delay before a retry (1 is the first) in milliseconds. It is
 * random between 0 and a bound that doubles up to `maxRetryDelayMs`. A
 * `Retry-After` replaces it, plus jitter so that callers do not retry at the
 * same time. The jitter is at most the larger of the `Retry-After` and the usual
 * bound, where the usual bound counts for at most a second. It exceeds neither
 * `maxRetryDelayMs` nor the time left.
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
