import type { CallContext } from '../container/protocol.ts';
import type { CallHost, CallSurroundings } from './answer-call.ts';
import { calledNode, readInput } from './called-node.ts';
import { CallRefusal } from './call-refusal.ts';
import { createHandlerContext, type NodeMessageKind } from './handler-context.ts';
import { handlerFailure } from './handler-failure.ts';
import { outputBytes } from './output-bytes.ts';

interface StreamSurroundings extends CallSurroundings {
  /** Serialized input frames. Ends when the caller sends no more, and throws when the caller has left. */
  frames: AsyncIterable<Uint8Array>;
  /** Sends an output frame. Resolves once the caller accepts more. */
  sendFrame: (bytes: Uint8Array) => Promise<void>;
}

/**
 * Runs the handler of a pipeline node for one stream.
 *
 * @returns the message that ends the stream: done or error
 * @throws CallRefusal if the call or one of its frames does not fit the package
 */
export async function answerStream(
  host: CallHost,
  context: CallContext,
  { frames, sendFrame, ...surroundings }: StreamSurroundings,
): Promise<NodeMessageKind> {
  const { handler, input, output, binding, registries } = calledNode(host, context, 'pipeline');
  const { signal } = surroundings;
  let refusal: CallRefusal | undefined;
  async function* messages(): AsyncGenerator<object, void, undefined> {
    try {
      for await (const bytes of frames) yield readInput(input, bytes);
    } catch (error) {
      if (error instanceof CallRefusal) refusal = error;
      throw error;
    }
  }
  const handlerContext = createHandlerContext(context, binding, registries, surroundings);
  try {
    const yielded = await handler(messages() as never, handlerContext);
    if (!isIterable(yielded)) {
      throw new TypeError(
        `${context.node} is a pipeline node: its handler must be a generator, async function* (frames, context)`,
      );
    }
    for await (const value of yielded) {
      // Leaving the loop closes the generator.
      if (signal.aborted) break;
      await sendFrame(outputBytes(context.node, output, value));
    }
    if (refusal) throw refusal;
    return { case: 'done', value: {} };
  } catch (error) {
    // An invalid frame is the caller's fault, no matter how the handler treated the error.
    if (refusal) throw refusal;
    return handlerFailure(context.node, error, (text) => {
      if (!signal.aborted) host.report(text);
    });
  }
}

function isIterable(value: unknown): value is AsyncIterable<unknown> | Iterable<unknown> {
  return (
    typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value)
  );
}
