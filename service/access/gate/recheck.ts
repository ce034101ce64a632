import { ApiError } from '../../errors/api-error.ts';
import type { Authenticator } from './authenticate.ts';
import type { GateRequest } from './gate-request.ts';

/**
 * Reports whether a caller that was admitted earlier still has a valid key and a tenant that is not suspended.
 *
 * @throws ApiError 503 without the database
 */
export type Recheck = (request: Pick<GateRequest, 'authorization' | 'address'>) => Promise<boolean>;

/** Authenticates again: a valid key draws on no rate, and a key that is refused counts against the rate of its address. */
export function createRecheck(authenticate: Authenticator): Recheck {
  return async ({ authorization, address }) => {
    try {
      const { tenant } = await authenticate(authorization, address);
      return tenant.status !== 'suspended';
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) return false;
      throw error;
    }
  };
}
