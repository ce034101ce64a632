import { limits } from '../../../specs/limits.ts';
import { createTokenBucket } from '../token-bucket.ts';

/** Limits the progress frames of one call to about ten per second, with a burst of fifty. */
export interface ProgressGate {
  /** Returns the sequence number of a frame, or `undefined` if it is dropped. Each dropped frame leaves a gap in the numbers. */
  pass(json: string): number | undefined;
  /** Returns the number of dropped frames. */
  dropped(): number;
}

/** @param now epoch milliseconds */
export function createProgressGate(now: () => number): ProgressGate {
  const tokens = createTokenBucket(limits.progressRate, now);
  let seq = 0;
  let dropped = 0;
  return {
    pass: (json) => {
      const number = seq;
      seq += 1;
      if (!tokens.has(1) || Buffer.byteLength(json) > limits.progressBytes) {
        dropped += 1;
        return undefined;
      }
      tokens.take(1);
      return number;
    },
    dropped: () => dropped,
  };
}
