import { ApiError } from './api-error.ts';

/** Refusals of a direct node call (SPEC.md, Single node). */

/** Unknown, foreign and private, or without a deployment: one text, so that nobody learns which. */
export function nodeNotFound(): ApiError {
  return new ApiError(404, { error_message: 'node not found or not yet deployed' });
}

/** The package can be seen but has no such node. */
export function nodeNotFoundIn(detail: string): ApiError {
  return new ApiError(404, { error_message: `node not found: ${detail}` });
}

/** The body is not the node's input message; `text` is the finished text of SPEC.md. */
export function invalidNodeInput(text: string): ApiError {
  return new ApiError(400, { error_message: text });
}

/** The body is the node's input message with a value that no declared enum value has. */
export function invalidNodeValue(text: string, executionId: string): ApiError {
  return new ApiError(400, { execution_id: executionId, error_message: text }, executionHeader(executionId));
}

export function genericNodeCalled(name: string): ApiError {
  return new ApiError(400, {
    error_message: `node "${name}" is generic and has no message types of its own: invoke an Instance that binds it`,
  });
}

/** The node declares a secret that the tenant lacks; it never runs without. */
export function secretNotConfigured(message: string): ApiError {
  return new ApiError(400, { error_message: message });
}

export function streamedIntoUnary(name: string): ApiError {
  return new ApiError(400, {
    error_message: `node "${name}" is a unary node: send one JSON object as application/json`,
  });
}

export function streamingNotAvailable(name: string): ApiError {
  return new ApiError(501, {
    error_message: `node "${name}" is a pipeline node: streaming calls are not available yet`,
  });
}

export function eventStreamNotAvailable(name: string): ApiError {
  return new ApiError(501, {
    error_message: `node "${name}" cannot be answered as text/event-stream yet: accept application/json`,
  });
}

/** The handler returned an error; its message is surfaced verbatim. */
export function nodeFailed(message: string, executionId: string): ApiError {
  return new ApiError(422, { error_message: message }, executionHeader(executionId));
}

/** The container could not be reached, or did not answer as the protocol says; `text` is the finished text of SPEC.md. */
export function nodeUnreachable(text: string, executionId: string): ApiError {
  return new ApiError(502, { error_message: text }, executionHeader(executionId));
}

/** Where an execution's id stands beside a body that has no room for it. */
export function executionHeader(executionId: string): Record<string, string> {
  return { 'X-Execution-Id': executionId };
}
