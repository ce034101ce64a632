import { limits } from '../../../specs/limits.ts';

/** Lets progress frames of one call through, about ten a second with a burst of fifty (SPEC.md, Limits). */
export interface ProgressGate {
  /** The number of a frame that goes through; `undefined`: it is dropped, and so its number is a gap. */
  pass(json: string): number | undefined;
  /** Frames dropped so far. */
  dropped(): number;
}

/** @param now epoch milliseconds */
export function createProgressGate(now: () => number): ProgressGate {
  const { perSecond, burst } = limits.progressRate;
  let tokens: number = burst;
  let filledAt = now();
  let seq = 0;
  let dropped = 0;
  return {
    pass: (json) => {
      const at = now();
      tokens = Math.min(burst, tokens + (Math.max(0, at - filledAt) / 1000) * perSecond);
      filledAt = at;
      const number = seq;
      seq += 1;
      if (tokens < 1 || Buffer.byteLength(json) > limits.progressBytes) {
        dropped += 1;
        return undefined;
      }
      tokens -= 1;
      return number;
    },
    dropped: () => dropped,
  };
}
