/** A token bucket: full at first, and filled at a constant rate. */
export interface TokenBucket {
  /** Whether there are this many tokens now. */
  has(count: number): boolean;
  /** Takes tokens that there are. */
  take(count: number): void;
}

/** @param now milliseconds of a clock that should be monotonic. While it goes back, the bucket gains nothing. */
export function createTokenBucket(
  { burst, perSecond }: { burst: number; perSecond: number },
  now: () => number,
): TokenBucket {
  let tokens = burst;
  let filledAt = now();
  return {
    has: (count) => {
      const at = now();
      tokens = Math.min(burst, tokens + (Math.max(0, at - filledAt) / 1_000) * perSecond);
      filledAt = at;
      return tokens >= count;
    },
    take: (count) => {
      tokens -= count;
    },
  };
}
