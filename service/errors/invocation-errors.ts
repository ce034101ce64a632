import { ApiError } from './api-error.ts';

/** SPEC.md's own example of a failure without a class (Errors, Envelope, last row). */
export function missingGraphId(): ApiError {
  return new ApiError(500, { accepted: false, error_message: 'graph_id is required' });
}
