import type { Clock } from '../clock.ts';
import type { Bucket, Rate, RateLimiter, Take } from './rate-limiter.ts';

/** A limiter in the memory of this process. */
interface TokenBuckets extends RateLimiter {
  /** Number of buckets in memory. */
  readonly size: number;
}

interface Level {
  /** May be a fraction. */
  tokens: number;
  at: number;
  /** Time at which the bucket is full again and can be forgotten. */
  fullAt: number;
}

/** Sweeping starts above this number of buckets. */
const sweepAbove = 1_000;

/** Makes token buckets in memory. A full bucket is forgotten, so memory use follows the recent callers. */
export function createTokenBuckets(clock: Clock): TokenBuckets {
  const levels = new Map<string, Level>();
  let sweepAt = sweepAbove;

  function sweep(now: number): void {
    for (const [name, level] of levels) {
      if (level.fullAt <= now) levels.delete(name);
    }
    // Doubling keeps the cost of sweeping constant per take, regardless of the number of active callers.
    sweepAt = Math.max(sweepAbove, levels.size * 2);
  }

  function takeOne<B extends Bucket>(bucket: B, now: number): Take<B> {
    const { name, rps, burst } = bucket;
    const level = levels.get(name) ?? { tokens: burst, at: now, fullAt: now };
    const saved = savedIn(level, { rps, burst }, now);
    const granted = saved >= 1;
    level.tokens = granted ? saved - 1 : saved;
    level.at = now;
    level.fullAt = rps > 0 ? now + ((burst - level.tokens) / rps) * 1000 : Infinity;
    levels.set(name, level);
    if (levels.size > sweepAt) sweep(now);
    return granted ? { granted } : { granted, empty: bucket, waitMs: ((1 - saved) / rps) * 1000 };
  }

  return {
    take(buckets) {
      const now = clock.now();
      for (const bucket of buckets) {
        const taken = takeOne(bucket, now);
        if (!taken.granted) return Promise.resolve(taken);
      }
      return Promise.resolve({ granted: true });
    },
    get size() {
      return levels.size;
    },
  };
}

function savedIn(level: Level, { rps, burst }: Rate, now: number): number {
  // A clock that was set back neither adds nor removes tokens.
  const elapsedMs = Math.max(0, now - level.at);
  return Math.min(burst, level.tokens + (elapsedMs * rps) / 1000);
}
