import { ApiError } from './api-error.ts';

/** Refusals of reading and cancelling executions (SPEC.md, Execution history and debug). */

/** Unknown, or another tenant's. */
export function executionNotFound(): ApiError {
  return new ApiError(404, { error: 'execution not found' });
}

/** Never given out, or given out for another execution, or older than what is kept. */
export function checkpointNotFound(retentionDays: number): ApiError {
  return new ApiError(404, {
    error: 'checkpoint_not_found_or_expired',
    detail: `no such checkpoint: the retention policy evicts checkpoints after ${retentionDays} days`,
  });
}

export function malformedCursor(): ApiError {
  return invalidArgument('cursor is not one: send next_cursor of the page before as it was');
}

export function foreignCursor(): ApiError {
  return invalidArgument(
    'cursor belongs to a query with other filters: repeat those, or begin without a cursor',
  );
}

function invalidArgument(message: string): ApiError {
  return new ApiError(400, { error: 'invalid_argument', message });
}
