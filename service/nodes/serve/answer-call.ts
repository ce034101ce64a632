import { create, type DescMessage, fromBinary, toBinary } from '@bufbuild/protobuf';
import { type CallContext, CallContextSchema, type InvokeRequest } from '../container/protocol.ts';
import type { BindingReader } from './bound-messages.ts';
import { CallRefusal } from './call-refusal.ts';
import { createHandlerContext, type NodeMessageKind, toJsonText } from './handler-context.ts';
import type { HostedNode, HostedPackage } from './load-package.ts';
import { type BoundMessages, NodeFailureError, NodePauseRequest } from './node-handlers.ts';
import { outputMessage } from './output-message.ts';
import { outputProblem } from './output-problem.ts';

/** What the calls of one package share. */
export interface CallHost {
  hosted: HostedPackage;
  readBinding: BindingReader;
  /** Tells the author, with the stack, of errors that the handler did not mean to throw. */
  report: (text: string) => void;
}

export interface CallSurroundings {
  signal: AbortSignal;
  /** Sends what the handler says on its way. */
  send: (kind: NodeMessageKind) => void;
}

/**
 * Runs a handler for one unary call.
 *
 * @returns the message that ends the call: output, error or pause
 * @throws CallRefusal when the call does not fit the package
 */
export async function answerCall(
  { hosted, readBinding, report }: CallHost,
  { context = create(CallContextSchema), input }: InvokeRequest,
  surroundings: CallSurroundings,
): Promise<NodeMessageKind> {
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

function findNode(hosted: HostedPackage, name: string): HostedNode {
  const node = hosted.nodes.get(name);
  if (node === undefined) {
    const names = [...hosted.nodes.keys()].join(', ');
    throw new CallRefusal(
      'NOT_FOUND',
      `${hosted.reference} has no node ${JSON.stringify(name)}; it has ${names}`,
    );
  }
  if (node.declaration.mode === 'unary') return node;
  throw new CallRefusal('UNIMPLEMENTED', `${name} is a pipeline node: it cannot be called as a unary one`);
}

/** The message of a port: declared, or bound by the call when the port is open. */
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
    `the ${port} of ${declaration.name} is generic and the call binds no message to it: call an Instance`,
  );
}

function readInput(type: DescMessage, bytes: Uint8Array): object {
  try {
    return fromBinary(type, bytes);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new CallRefusal('INVALID_ARGUMENT', `the input is not a ${type.typeName}: ${detail}`);
  }
}

function outputOf({ node }: CallContext, type: DescMessage, returned: unknown): NodeMessageKind {
  const problem = outputProblem(type, returned);
  if (problem !== undefined)
    throw new Error(`${node} returned what does not fit ${type.typeName}: ${problem}`);
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
