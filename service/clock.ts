/** The service's only source of the time of day, so that tests can control it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Starts to measure a duration. The function that it returns gives the milliseconds since then, even if the clock is set. */
export function startStopwatch(): () => number {
  const startedAt = performance.now();
  return () => performance.now() - startedAt;
}

/** Formats a time as ISO 8601 in UTC with milliseconds, as every timestamp of the API. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
