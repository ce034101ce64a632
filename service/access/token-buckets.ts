import type { Clock } from '../clock.ts';

/** A rate: `rps` tokens come back a second, `burst` is the most that can be saved. */
export interface Rate {
  rps: number;
  burst: number;
}

export interface TokenBuckets {
  /** Takes one token out of the bucket called `name`; `false`: it holds less than one, and nothing was taken. */
  take(name: string, rate: Rate): boolean;
  /** Buckets in memory. */
  readonly size: number;
}

interface Bucket {
  /** May be a fraction. */
  tokens: number;
  at: number;
  /** From when on the bucket is full again, and no different from one that never was. */
  fullAt: number;
}

/** Sweeping starts only above this many buckets. */
const sweepAbove = 1_000;

/**
 * Token buckets in memory. A bucket that has filled up again is forgotten, so that memory follows the callers of the last
 * moments and not all that ever came. A changed rate applies from the next take on.
 */
export function createTokenBuckets(clock: Clock): TokenBuckets {
  const buckets = new Map<string, Bucket>();
  let sweepAt = sweepAbove;

  function sweep(now: number): void {
    for (const [name, bucket] of buckets) {
      if (bucket.fullAt <= now) buckets.delete(name);
    }
    // Doubling keeps the cost of sweeping constant a take, however many callers are active.
    sweepAt = Math.max(sweepAbove, buckets.size * 2);
  }

  return {
    take(name, { rps, burst }) {
      const now = clock.now();
      const bucket = buckets.get(name) ?? { tokens: burst, at: now, fullAt: now };
      // A clock that was set back gives nothing and takes nothing.
      const elapsedMs = Math.max(0, now - bucket.at);
      const saved = Math.min(burst, bucket.tokens + (elapsedMs * rps) / 1000);
      const granted = saved >= 1;
      bucket.tokens = granted ? saved - 1 : saved;
      bucket.at = now;
      bucket.fullAt = rps > 0 ? now + ((burst - bucket.tokens) / rps) * 1000 : Infinity;
      buckets.set(name, bucket);
      if (buckets.size > sweepAt) sweep(now);
      return granted;
    },
    get size() {
      return buckets.size;
    },
  };
}
