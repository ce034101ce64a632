import type { ApiError } from '../../errors/api-error.ts';
import type { MessageError } from '../../errors/message-errors.ts';
import { invalidNodeInput, invalidNodeValue } from '../../errors/node-errors.ts';

/**
 * What to do about a body that is not JSON, by the expected body: one message for a unary or a pipeline node,
 * or lines.
 */
const advice = {
  pipeline: 'to send several messages, use Content-Type: application/x-ndjson',
  unary: 'a unary node takes one message: send a request for each',
  lines: 'each line must be one JSON value; with curl, --data-binary keeps the line breaks of a file',
};

/** Start of the parser's error for JSON that is followed by more text. */
const followedByMore = 'Unexpected non-whitespace character after JSON';

/**
 * Returns the refusal of an input that does not match the node's input message.
 *
 * @param body what the caller sent
 */
export function inputRefusal(error: MessageError, executionId: string, body: keyof typeof advice): ApiError {
  if (error.code === 'undeclared_ordinal') return invalidNodeValue(error.message, executionId);
  const isAdvised =
    error.code === 'not_json' && (body === 'lines' || error.detail?.startsWith(followedByMore));
  return invalidNodeInput(isAdvised ? `${error.message}: ${advice[body]}` : error.message);
}
