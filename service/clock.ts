/** The service's only source of the time of day, so that tests can control it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/**
 * Starts a stopwatch. The returned function returns the elapsed milliseconds, which are not affected if the
 * clock is set.
 */
export function startStopwatch(): () => number {
  const startedAt = performance.now();
  return () => performance.now() - startedAt;
}

/** Formats a time as ISO 8601 in UTC with milliseconds, as every timestamp of the API. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
