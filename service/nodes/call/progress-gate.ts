import { limits } from '../../../specs/limits.ts';

/** Limits the progress frames of one call to about ten per second, with a burst of fifty. */
export interface ProgressGate {
  /** Returns the sequence number of a frame, or `undefined` if it is dropped. Each dropped frame leaves a gap in the numbers. */
  pass(json: string): number | undefined;
  /** Returns the number of dropped frames. */
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
