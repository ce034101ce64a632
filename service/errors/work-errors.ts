import { ApiError } from './api-error.ts';
import { tooMany, unavailable } from './retry-later.ts';

/**
 * The tenant has reached its limit of queued work: large messages to convert, proto sources and flows to
 * compile, previews, lists, builds and forks.
 */
export function workQueueFull(): ApiError {
  return tooMany(
    'work_queue_full',
    'too many large messages, proto sources, flows, previews, lists, builds or forks of this tenant are waiting to be processed: ' +
      'send fewer of them at once',
  );
}

/** All tenants together have reached the limit of queued work. */
export function workOverloaded(): ApiError {
  return unavailable(
    'work_overloaded',
    'the service has too much work waiting to be processed: try again later',
  );
}

/** The deadline of the request passed while its message or its proto sources were queued or processed. */
export function workTimedOut(): ApiError {
  return unavailable(
    'work_timed_out',
    'the request was not processed before its deadline: send a smaller one, or try again later',
  );
}

/**
 * The caller left before the request was processed, or closed its sending half. Only in the latter case can
 * it read the response.
 */
export function workAbandoned(): ApiError {
  return new ApiError(503, 'upstream_unavailable', {
    error: 'upstream_unavailable',
    message: 'the caller left before the request was processed: leave the connection open until the response',
  });
}
