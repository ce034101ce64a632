import { limits } from '../../../specs/limits.ts';

/** A token bucket of bytes of log. */
export interface LogTokens {
  /** Whether there are this many tokens now. */
  has(bytes: number): boolean;
  /** Takes tokens that there are. */
  take(bytes: number): void;
}

interface LogRate {
  burstBytes: number;
  bytesPerSecond: number;
}

/** @param now milliseconds of a monotonic clock */
export function createLogTokens({ burstBytes, bytesPerSecond }: LogRate, now: () => number): LogTokens {
  let tokens = burstBytes;
  let filledAt = now();
  return {
    has: (bytes) => {
      const at = now();
      tokens = Math.min(burstBytes, tokens + ((at - filledAt) / 1_000) * bytesPerSecond);
      filledAt = at;
      return tokens >= bytes;
    },
    take: (bytes) => {
      tokens -= bytes;
    },
  };
}

/** The tokens that all calls of a tenant share, so that many calls write no more than the database can hold. */
export class TenantLogTokens {
  readonly #now: () => number;
  readonly #tenants = new Map<string, LogTokens>();

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  of(tenantId: string): LogTokens {
    let tokens = this.#tenants.get(tenantId);
    if (!tokens) this.#tenants.set(tenantId, (tokens = createLogTokens(limits.tenantLogRate, this.#now)));
    return tokens;
  }
}
