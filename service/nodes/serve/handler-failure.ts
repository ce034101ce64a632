import { thrownMessage } from '../../errors/thrown-message.ts';
import type { NodeMessageKind } from './handler-context.ts';
import { NodeFailureError } from './node-handlers.ts';

/**
 * Converts an error of a handler to the message that ends its call. The failure is retryable, unless the
 * handler says otherwise. Reports an unexpected error to the author, with its stack.
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
