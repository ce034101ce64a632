import { ApiError } from './api-error.ts';

/**
 * The node is unknown, private to another tenant, or not deployed. The text is always the same, so that it
 * does not reveal private nodes.
 */
export function nodeNotFound(): ApiError {
  return new ApiError(404, 'node_not_found', { error_message: 'node not found or not yet deployed' });
}

/** The package is readable but has no such node. */
export function nodeNotFoundIn(detail: string): ApiError {
  return new ApiError(404, 'node_not_found', { error_message: `node not found: ${detail}` });
}

/** The body does not match the node's input message. `text` is the complete error text. */
export function invalidNodeInput(text: string): ApiError {
  return new ApiError(400, 'invalid_input', { error_message: text });
}

/** No input frame arrived within a stream's timeout. */
export function inputLate(timeoutMs: number): ApiError {
  return new ApiError(400, 'input_late', { error_message: `no input frame arrived within ${timeoutMs} ms` });
}

/** An enum field of the body has an undeclared number. */
export function invalidNodeValue(text: string, executionId: string): ApiError {
  return new ApiError(
    400,
    'invalid_input',
    { execution_id: executionId, error_message: text },
    executionHeader(executionId),
  );
}

/** A generic node is called, or a stream of it is opened. */
export function genericNodeCalled(name: string): ApiError {
  return new ApiError(400, 'generic_node', {
    error_message: `node "${name}" is generic and has no message types of its own: invoke an Instance that binds it`,
  });
}

/** The node requires a secret that the tenant has not configured. */
export function secretNotConfigured(message: string): ApiError {
  return new ApiError(400, 'secret_not_configured', { error_message: message });
}

/** The caller sent lines, or requested a split stream or a live session. */
export function streamedIntoUnary(name: string): ApiError {
  return new ApiError(400, 'unary_node', {
    error_message: `node "${name}" is a unary node and takes no stream: send one JSON object with POST, as application/json`,
  });
}

/** The binary variant does not support streams. */
export function pipelineNotBinary(name: string): ApiError {
  return new ApiError(400, 'pipeline_node', {
    error_message: `node "${name}" is a pipeline node: call it with JSON, by its path or its id`,
  });
}

/** The handler returned an error. Its message is passed on unchanged. */
export function nodeFailed(message: string, executionId: string): ApiError {
  return new ApiError(422, 'node_failed', { error_message: message }, executionHeader(executionId));
}

/**
 * The container could not be reached, or violated the protocol. `text` is the complete error text.
 *
 * @param message a longer text, which names the container
 */
export function nodeUnreachable(text: string, executionId: string, message = text): ApiError {
  return new ApiError(
    502,
    'node_unreachable',
    { error_message: text, message },
    executionHeader(executionId),
  );
}

/**
 * The node's output is not its output message, or has no JSON form. The node has run, and a retry would not
 * help.
 *
 * @param detail what is wrong with the output
 */
export function outputInvalid(detail: string, executionId: string): ApiError {
  return new ApiError(
    502,
    'output_invalid',
    { error_message: `calling node: ${detail}` },
    executionHeader(executionId),
  );
}

/** Returns the execution id as a header, for bodies without a field for it. */
export function executionHeader(executionId: string): Record<string, string> {
  return { 'X-Execution-Id': executionId };
}
