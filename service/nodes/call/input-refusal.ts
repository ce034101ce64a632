import type { ApiError } from '../../errors/api-error.ts';
import type { MessageError } from '../../errors/message-errors.ts';
import { invalidNodeInput, invalidNodeValue } from '../../errors/node-errors.ts';

/** What to do about a body of several messages. */
const adviceOnSeveral = {
  pipeline: 'to send several messages, use Content-Type: application/x-ndjson',
  unary: 'a unary node takes one message: send a request for each',
};

/** How the parser begins the error of JSON that is followed by more. */
const followedByMore = 'Unexpected non-whitespace character after JSON';

/**
 * The refusal of an input that does not fit the node's input message.
 *
 * @param mode of the node, where the caller sent a body of one message
 */
export function inputRefusal(
  error: MessageError,
  executionId: string,
  mode?: keyof typeof adviceOnSeveral,
): ApiError {
  if (error.code === 'undeclared_ordinal') return invalidNodeValue(error.message, executionId);
  const isSeveral = error.code === 'not_json' && error.detail?.startsWith(followedByMore);
  return invalidNodeInput(mode && isSeveral ? `${error.message}: ${adviceOnSeveral[mode]}` : error.message);
}
