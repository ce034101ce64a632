/** The only source of time in the service, so that tests own it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** ISO 8601 UTC with milliseconds, the form of every timestamp in SPEC.md. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
