import { ApiError } from './api-error.ts';

/** Unlike other invalid bodies, a missing `graph_id` has the status 500: that is part of the public contract. */
export function missingGraphId(): ApiError {
  return new ApiError(500, 'invalid_body', { accepted: false, error_message: 'graph_id is required' });
}
