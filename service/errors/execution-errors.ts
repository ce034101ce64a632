import { ApiError } from './api-error.ts';

/** Unknown, or another tenant's (SPEC.md, Execution history and debug). */
export function executionNotFound(): ApiError {
  return new ApiError(404, { error: 'execution not found' });
}
