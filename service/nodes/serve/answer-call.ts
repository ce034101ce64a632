import { create, type DescMessage, toBinary } from '@bufbuild/protobuf';
import { decodeMessage } from '../../messages/wire/decode-message.ts';
import { type CallContext, CallContextSchema, type InvokeRequest } from '../container/protocol.ts';
import type { BindingReader } from './bound-messages.ts';
import { CallRefusal } from './call-refusal.ts';
import { createHandlerContext, type NodeMessageKind, toJsonText } from './handler-context.ts';
import type { HostedNode, HostedPackage } from './load-package.ts';
import { type BoundMessages, NodeFailureError, NodePauseRequest } from './node-handlers.ts';
import { outputMessage } from './output-message.ts';
import { outputProblem } from './output-problem.ts';

/** Shared by the calls of one package. */
export interface CallHost {
  hosted: HostedPackage;
  readBinding: BindingReader;
  /** Reports unexpected errors of handlers to their author, with the stack. */
  report: (text: string) => void;
}

interface CallSurroundings {
  signal: AbortSignal;
  /** Sends the messages that precede the answer. */
  send: (kind: NodeMessageKind) => void;
}

/**
 * Runs a handler for one unary call.
 *
 * @returns the message that ends the call: output, error or pause
 * @throws CallRefusal if the call does not fit the package
 */
export async function answerCall(
  { hosted, readBinding, report }: CallHost,
  { context = create(CallContextSchema), input }: InvokeRequest,
  surroundings: CallSurroundings,
): Promise<NodeMessageKind> {
  checkPackage(hosted, context);
  const { declaration, handler } = findNode(hosted, context.node);
  const binding = context.binding && readBinding(context.binding);
  const types = {
    input: portType(hosted, declaration, binding, 'input'),
    output: portType(hosted, declaration, binding, 'output'),
  };
  const message = readInput(types.input, input);
  const handlerContext = createHandlerContext(context, binding, surroundings);
  try {
    const returned = await handler(message as never, handlerContext);
    return returned instanceof NodePauseRequest
      ? pauseOf(returned)
      : outputOf(context, types.output, returned);
  } catch (error) {
    const meant = error instanceof NodeFailureError;
    if (!meant && !surroundings.signal.aborted) {
      report(
        `${context.node} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    }
    return failureOf(error);
  }
}

/** Refuses calls for other packages: the service may have been given the endpoint of the wrong container. */
function checkPackage(hosted: HostedPackage, { packageName, packageVersion }: CallContext): void {
  // Services before this field do not send it.
  if (packageName === '' || (packageName === hosted.name && packageVersion === hosted.version)) return;
  throw new CallRefusal(
    'FAILED_PRECONDITION',
    `this container serves ${hosted.name} ${hosted.version}, not ${packageName} ${packageVersion}`,
  );
}

function findNode(hosted: HostedPackage, name: string): HostedNode {
  const node = hosted.nodes.get(name);
  if (node === undefined) {
    const names = [...hosted.nodes.keys()].join(', ');
    throw new CallRefusal(
      'NOT_FOUND',
      `${hosted.name}@${hosted.version} has no node ${JSON.stringify(name)}; it has ${names}`,
    );
  }
  if (node.declaration.mode === 'unary') return node;
  throw new CallRefusal('UNIMPLEMENTED', `${name} is a pipeline node and has no unary calls`);
}

/** Returns the message type of a port: the declared one, or on an open port the one that the call binds. */
function portType(
  { registry }: HostedPackage,
  declaration: HostedNode['declaration'],
  binding: BoundMessages | undefined,
  port: 'input' | 'output',
): DescMessage {
  const declared = declaration[port];
  const type = declared === undefined ? binding?.[port] : registry.getMessage(declared);
  if (type) return type;
  throw new CallRefusal(
    'FAILED_PRECONDITION',
    `the ${port} of ${declaration.name} is generic, and the call does not bind a message to it: call an Instance`,
  );
}

function readInput(type: DescMessage, bytes: Uint8Array): object {
  try {
    return decodeMessage(type, bytes);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new CallRefusal('INVALID_ARGUMENT', `the input is not a ${type.typeName}: ${detail}`);
  }
}

function outputOf({ node }: CallContext, type: DescMessage, returned: unknown): NodeMessageKind {
  const problem = outputProblem(type, returned);
  if (problem !== undefined) throw new Error(`${node} returned an invalid ${type.typeName}: ${problem}`);
  return { case: 'output', value: toBinary(type, outputMessage(type, returned as Record<string, unknown>)) };
}

function pauseOf({ request }: NodePauseRequest): NodeMessageKind {
  return {
    case: 'pause',
    value: {
      interruptPayloadJson: toJsonText(request.ask, 'question of a pause'),
      resumeSchema: request.resumeSchema ?? '',
      timeoutSeconds: request.timeoutSeconds ?? 0,
      escalateAfterSeconds: request.escalateAfterSeconds ?? 0,
    },
  };
}

function failureOf(error: unknown): NodeMessageKind {
  const message = error instanceof Error ? error.message : String(error);
  const { retryable, payloadJson } =
    error instanceof NodeFailureError ? error : { retryable: false, payloadJson: '' };
  return {
    case: 'error',
    value: {
      message: message === '' ? 'the node failed without a message' : message.toWellFormed(),
      retryable,
      failurePayloadJson: payloadJson,
    },
  };
}
