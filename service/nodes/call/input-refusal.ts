import type { ApiError } from '../../errors/api-error.ts';
import type { MessageError } from '../../errors/message-errors.ts';
import { invalidNodeInput, invalidNodeValue } from '../../errors/node-errors.ts';

/** The refusal of an input that does not fit the node's input message. */
export function inputRefusal(error: MessageError, executionId: string): ApiError {
  return error.code === 'undeclared_ordinal'
    ? invalidNodeValue(error.message, executionId)
    : invalidNodeInput(error.message);
}
