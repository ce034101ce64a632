import { ApiError } from './api-error.ts';
import { executionHeader } from './node-errors.ts';

/**
 * The split stream is unknown, belongs to another tenant, or has expired. The text is always the same, so
 * that it does not reveal which.
 */
export function streamNotFound(): ApiError {
  return new ApiError(404, 'stream_not_found', { error_message: 'stream not found or expired' });
}

/** The split stream already has its only upload, which may have ended. */
export function streamHasUpload(): ApiError {
  return new ApiError(409, 'stream_has_upload', {
    error_message: 'the stream already has an upload: create a stream for each upload',
  });
}

/** The reference is malformed. A well-formed reference to an unknown node has the status 404. */
export function invalidNodeReference(): ApiError {
  return new ApiError(400, 'invalid_body', {
    error_message: 'node_ref must be {owner}/{package}/{version}/{node}, or the id of a node',
  });
}

/** The header names no event that the stream has sent. */
export function unknownEventId(): ApiError {
  return new ApiError(400, 'invalid_argument', {
    error_message:
      'Last-Event-ID must be the id of an event of this stream: leave it out to read from the beginning',
  });
}

/** Another replica has ended the stream during its upload, because it considered this one dead. */
export function streamTakenOver(executionId: string): ApiError {
  const error_message = 'the stream was taken over by another replica';
  return new ApiError(
    502,
    'stream_taken_over',
    { error_message, execution_id: executionId },
    executionHeader(executionId),
  );
}
