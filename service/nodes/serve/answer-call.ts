import { create, type Registry } from '@bufbuild/protobuf';
import { CallContextSchema, type InvokeRequest } from '../container/protocol.ts';
import type { BindingReader } from './bound-messages.ts';
import { calledNode, readInput } from './called-node.ts';
import { createHandlerContext, type NodeMessageKind, toJsonText } from './handler-context.ts';
import { handlerFailure } from './handler-failure.ts';
import type { HostedPackage } from './load-package.ts';
import { NodePauseRequest } from './node-handlers.ts';
import { outputBytes } from './output-bytes.ts';

/** Shared by the calls of one package. */
export interface CallHost {
  /** The package that handles new calls. */
  hosted: HostedPackage;
  readBinding: BindingReader;
  /** Reports unexpected errors of handlers to their author, with the stack. */
  report: (text: string) => void;
}

/** The connection's side of a call. */
export interface CallSurroundings {
  /** Aborts when the caller leaves or the deadline passes. */
  signal: AbortSignal;
  /** Sends a message that precedes the response. */
  send: (kind: NodeMessageKind) => void;
}

/**
 * Runs a handler for one unary call.
 *
 * @returns the message that ends the call: output, error or pause
 * @throws CallRefusal if the call does not fit the package
 */
export async function answerCall(
  host: CallHost,
  { context = create(CallContextSchema), input }: InvokeRequest,
  surroundings: CallSurroundings,
): Promise<NodeMessageKind> {
  const { handler, output, binding, registries, ...called } = calledNode(host, context, 'unary');
  const message = readInput(called.input, input);
  const handlerContext = createHandlerContext(context, binding, registries, surroundings);
  try {
    const returned = await handler(message as never, handlerContext);
    return returned instanceof NodePauseRequest
      ? pauseOf(returned, registries)
      : { case: 'output', value: outputBytes(context.node, output, returned) };
  } catch (error) {
    return handlerFailure(context.node, error, (text) => {
      // A handler may fail only because its caller has left.
      if (!surroundings.signal.aborted) host.report(text);
    });
  }
}

function pauseOf({ request }: NodePauseRequest, registries: readonly Registry[]): NodeMessageKind {
  return {
    case: 'pause',
    value: {
      interruptPayloadJson: toJsonText(request.ask, 'question of a pause', registries),
      resumeSchema: request.resumeSchema ?? '',
      timeoutSeconds: request.timeoutSeconds ?? 0,
      escalateAfterSeconds: request.escalateAfterSeconds ?? 0,
    },
  };
}
