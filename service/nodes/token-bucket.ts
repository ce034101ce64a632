/** A token bucket. It starts full and fills at a constant rate. */
export interface TokenBucket {
  /** Reports whether the bucket holds this many tokens now. */
  has(count: number): boolean;
  /** Takes tokens without checking that the bucket holds them. */
  take(count: number): void;
}

/**
 * @param now milliseconds of a clock that should be monotonic. While the clock goes backwards, no tokens are
 *   added
 */
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
