import { limits } from '../../specs/limits.ts';
import { ApiError } from './api-error.ts';

/** Refusals of forks. For an unknown execution, see `pausedExecutionNotFound`. */

/** The id does not name a checkpoint of the execution, or the checkpoint was evicted. */
export function forkCheckpointNotFound(): ApiError {
  return new ApiError(404, 'checkpoint_not_found', {
    error: 'CHECKPOINT_NOT_FOUND',
    message: `no such checkpoint, or it was evicted: the retention policy keeps checkpoints for ${limits.checkpointRetentionDays} days`,
  });
}

/** The execution cannot be forked at all, or not from this checkpoint. */
export function executionNotForkable(detail: string): ApiError {
  return new ApiError(409, 'execution_not_forkable', { error: 'EXECUTION_NOT_FORKABLE', message: detail });
}

/** The input does not match the checkpoint or the message of its node. The parent continues. */
export function invalidForkInput(detail: string): ApiError {
  return new ApiError(400, 'invalid_argument', { error: 'INVALID_ARGUMENT', message: detail });
}
