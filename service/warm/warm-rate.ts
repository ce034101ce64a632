import { createTokenBuckets } from '../access/token-buckets.ts';
import type { Clock } from '../clock.ts';
import { warmRateLimited } from '../errors/warm-errors.ts';
import { limits } from '../../specs/limits.ts';
import type { ApiKey } from '../store/api-keys.ts';

/**
 * Counts a warm of an app key: one in 20 seconds, three at once (SPEC.md, Limits).
 *
 * @throws ApiError 429 with the seconds until the next one
 */
export type WarmRate = (key: Pick<ApiKey, 'id'>) => void;

export function createWarmRate(clock: Clock): WarmRate {
  const buckets = createTokenBuckets(clock);
  return ({ id }) => {
    if (buckets.take(id, limits.warmRate)) return;
    throw warmRateLimited(Math.max(1, Math.ceil(buckets.waitMs(id, limits.warmRate) / 1000)));
  };
}
