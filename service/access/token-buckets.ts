import type { Clock } from '../clock.ts';

/** A rate: `rps` tokens come back a second, `burst` is the most that can be saved. */
export interface Rate {
  rps: number;
  burst: number;
}

export interface TokenBuckets {
  /** Takes one token out of the bucket called `name`; `false`: it holds less than one, and nothing was taken. */
  take(name: string, rate: Rate): boolean;
  /** Milliseconds until the bucket holds a token, 0 when it does; infinite at a rate of none. */
  waitMs(name: string, rate: Rate): number;
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

  function savedIn(bucket: Bucket, { rps, burst }: Rate, now: number): number {
    // A clock that was set back gives nothing and takes nothing.
    const elapsedMs = Math.max(0, now - bucket.at);
    return Math.min(burst, bucket.tokens + (elapsedMs * rps) / 1000);
  }

  return {
    take(name, { rps, burst }) {
      const now = clock.now();
      const bucket = buckets.get(name) ?? { tokens: burst, at: now, fullAt: now };
      const saved = savedIn(bucket, { rps, burst }, now);
      const granted = saved >= 1;
      bucket.tokens = granted ? saved - 1 : saved;
      bucket.at = now;
      bucket.fullAt = rps > 0 ? now + ((burst - bucket.tokens) / rps) * 1000 : Infinity;
      buckets.set(name, bucket);
      if (buckets.size > sweepAt) sweep(now);
      return granted;
    },
    waitMs(name, rate) {
      const bucket = buckets.get(name);
      const saved = bucket ? savedIn(bucket, rate, clock.now()) : rate.burst;
      return saved >= 1 ? 0 : ((1 - saved) / rate.rps) * 1000;
    },
    get size() {
      return buckets.size;
    },
  };
}
