import { ApiError } from './api-error.ts';

/** The execution is unknown or belongs to another tenant. */
export function executionNotFound(): ApiError {
  return new ApiError(404, 'execution_not_found', { error: 'execution not found' });
}

/** The id does not name a checkpoint of the execution, or the checkpoint was evicted. */
export function checkpointNotFound(retentionDays: number): ApiError {
  return new ApiError(404, 'checkpoint_not_found_or_expired', {
    error: 'checkpoint_not_found_or_expired',
    detail: `no such checkpoint, or it was evicted: the retention policy keeps checkpoints for ${retentionDays} days`,
  });
}

/** The cursor is malformed. */
export function malformedCursor(): ApiError {
  return invalidArgument('cursor is invalid: send the next_cursor of the previous page unchanged');
}

/** The cursor belongs to another list, or to the same list with other filters. */
export function foreignCursor(): ApiError {
  return invalidArgument(
    'cursor belongs to a query with other filters: repeat its filters, or start without a cursor',
  );
}

function invalidArgument(message: string): ApiError {
  return new ApiError(400, 'invalid_argument', { error: 'invalid_argument', message });
}
