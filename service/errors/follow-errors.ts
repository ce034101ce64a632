import { limits } from '../../specs/limits.ts';
import { ApiError } from './api-error.ts';

/** The tenant has reached its limit of open debug streams, or of followed runs and topics. */
export function tooManyFollowers(what: 'followers' | 'sessions'): ApiError {
  const { perTenant, sessionsPerTenant } = limits.followers;
  const message =
    what === 'followers'
      ? `the tenant has ${perTenant} open debug streams: close some`
      : `the tenant follows ${sessionsPerTenant} runs and topics: close the debug streams of some`;
  return new ApiError(429, 'too_many_followers', { error: 'too_many_followers', message });
}
