import { limits } from '../../../specs/limits.ts';
import { createTokenBucket, type TokenBucket } from '../token-bucket.ts';

const { burstBytes: burst, bytesPerSecond: perSecond } = limits.tenantLogRate;

/**
 * The budget of log bytes that all calls of a tenant share, so that many concurrent calls write no more than
 * the database can store.
 */
export class TenantLogTokens {
  readonly #now: () => number;
  readonly #tenants = new Map<string, TokenBucket>();

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  of(tenantId: string): TokenBucket {
    let tokens = this.#tenants.get(tenantId);
    if (!tokens) this.#tenants.set(tenantId, (tokens = createTokenBucket({ burst, perSecond }, this.#now)));
    return tokens;
  }
}
