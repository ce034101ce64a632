import { thrownMessage } from '../../errors/thrown-message.ts';
import type { NodeMessageKind } from './handler-context.ts';
import { NodeFailureError } from './node-handlers.ts';

/**
 * An error of a handler as the message that ends its call. A further attempt may succeed, unless the handler says otherwise. An
 * unexpected error is reported to the author, with the stack.
 */
export function handlerFailure(
  node: string,
  error: unknown,
  report: (text: string) => void,
): NodeMessageKind {
  if (!(error instanceof NodeFailureError)) {
    report(`${node} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
  const message = thrownMessage(error);
  const { retryable, payloadJson } =
    error instanceof NodeFailureError ? error : { retryable: true, payloadJson: '' };
  return {
    case: 'error',
    value: {
      message: message === '' ? 'the node failed without a message' : message.toWellFormed(),
      retryable,
      failurePayloadJson: payloadJson,
    },
  };
}
