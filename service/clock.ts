/** The service's only source of time, so that tests can control it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Formats a time as ISO 8601 in UTC with milliseconds, as every timestamp of the API. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
