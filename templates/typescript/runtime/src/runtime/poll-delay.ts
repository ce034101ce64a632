/** First delay between polls of a run, in milliseconds. */
export const firstPollDelayMs = 100;

/** Returns a random delay between half of a delay and all of it. */
export function spread(delayMs: number): number {
  return delayMs * (0.5 + Math.random() / 2);
}
