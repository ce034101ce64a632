import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { create } from '@bufbuild/protobuf';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import { type NodeMessage, NodeMessageSchema, type StreamRequest } from '../container/protocol.ts';
import type { CallHost } from './answer-call.ts';
import { answerStream } from './answer-stream.ts';
import { CallRefusal, statusOfRefusal } from './call-refusal.ts';
import type { NodeMessageKind } from './handler-context.ts';

/** Serves one stream of a pipeline node. The handler waits while the caller does not read. */
export async function serveStream(
  host: CallHost,
  call: ServerDuplexStream<StreamRequest, NodeMessage>,
): Promise<void> {
  const caller = new AbortController();
  const { signal } = caller;
  const leave = (): void => caller.abort(new Error('the caller no longer waits'));
  call.on('cancelled', leave);
  const write = (kind: NodeMessageKind): boolean => {
    // Messages from work that outlives the handler are dropped.
    if (signal.aborted || call.writableEnded) return true;
    return call.write(create(NodeMessageSchema, { kind }));
  };
  const requests = call.iterator({ destroyOnReturn: false }) as AsyncIterator<StreamRequest>;
  try {
    const ending = await answerStream(host, await readStart(requests), {
      signal,
      send: write,
      frames: framesOf(requests, signal),
      sendFrame: async (value) => {
        if (write({ case: 'frame', value })) return;
        await once(call, 'drain', { signal }).catch(() => undefined);
      },
    });
    // gRPC also emits `cancelled` after calls that ended normally.
    call.off('cancelled', leave);
    if (signal.aborted) return;
    write(ending);
    // Discards frames that the handler did not read.
    call.resume();
    call.end();
  } catch (error) {
    if (!signal.aborted) call.emit('error', statusOfRefusal(error, host.report));
  }
}

async function readStart(requests: AsyncIterator<StreamRequest>) {
  const first = await requests.next();
  if (!first.done && first.value.kind.case === 'start') return first.value.kind.value;
  throw new CallRefusal('INVALID_ARGUMENT', 'the first message of a stream is its start');
}

/** If the caller has left, the input must fail instead of ending as if it were complete. */
async function* framesOf(
  requests: AsyncIterator<StreamRequest>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (;;) {
    const request = await requests.next();
    if (request.done) await cancellation(signal);
    signal.throwIfAborted();
    if (request.done) return;
    const { kind } = request.value;
    if (kind.case !== 'frame') {
      throw new CallRefusal('INVALID_ARGUMENT', 'a stream has one start, and then frames');
    }
    yield kind.value;
  }
}

/** Turns of the event loop after which an ended stream counts as complete. Two were the most observed. */
const cancellationTurns = 10;

/**
 * Waits for a possible cancellation: a caller that cancels half-closes its stream right before it resets it.
 */
async function cancellation(signal: AbortSignal): Promise<void> {
  for (let count = 0; count < cancellationTurns && !signal.aborted; count += 1) await turn();
}
