import type { CallOptions } from "./options.ts";
import type { Settings } from "./settings.ts";

/** First delay between polls of a run, in milliseconds. */
export const firstPollDelayMs = 100;

/**
 * Returns the timeout of a poll in milliseconds: the timeout of attempts, or 30
 * seconds. A stalled poll must not use up all of the time.
 */
export function pollTimeoutMs(
  options: CallOptions,
  settings: Settings,
): number {
  const { attemptTimeoutMs = settings.attemptTimeoutMs } = options;
  return attemptTimeoutMs === Infinity ? 30_000 : attemptTimeoutMs;
}

/** Returns a random delay between half of `delayMs` and `delayMs`. */
export function spread(delayMs: number): number {
  return delayMs * (0.5 + Math.random() / 2);
}
