import type { RateLimiter } from '../access/rate-limiter.ts';
import { warmRateLimited } from '../errors/warm-errors.ts';
import { limits } from '../../specs/limits.ts';
import type { ApiKey } from '../store/api-keys.ts';

/**
 * Counts a warm of an app key: one per 20 seconds, with a burst of three.
 *
 * @throws ApiError 429 with the seconds until the next one
 */
export type WarmRate = (key: Pick<ApiKey, 'id'>) => Promise<void>;

/** Creates the limit of `limits.warmRate`. Each key has its own bucket in `limiter`. */
export function createWarmRate(limiter: RateLimiter): WarmRate {
  return async ({ id }) => {
    const taken = await limiter.take([{ name: `warm ${id}`, ...limits.warmRate }]);
    if (!taken.granted) throw warmRateLimited(Math.max(1, Math.ceil(taken.waitMs / 1000)));
  };
}
