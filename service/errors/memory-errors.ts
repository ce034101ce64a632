import type { ApiError } from './api-error.ts';
import { tooMany, unavailable } from './retry-later.ts';

/** The caller has reached its limit of bytes in large responses that are waiting to be read. */
export function tooManyUnreadResponses(): ApiError {
  return tooMany(
    'too_many_unread_responses',
    'too many large responses wait to be read by this caller: read the earlier responses completely, or close their connections',
  );
}

/** The caller has reached its limit of bytes in large bodies that are being sent. */
export function tooManyLargeBodies(): ApiError {
  return tooMany(
    'too_many_large_bodies',
    'this caller is sending too many large bodies at once: send fewer of them at the same time',
  );
}

/** All callers together have too many large responses waiting to be read. */
export function responsesOverloaded(): ApiError {
  return unavailable(
    'memory_overloaded',
    'too many large responses wait to be read by all callers: read the earlier responses, and try again later',
  );
}

/** All callers together are sending too many large bodies. */
export function bodiesOverloaded(): ApiError {
  return unavailable(
    'memory_overloaded',
    'all callers together are sending too many large bodies: try again later',
  );
}
