import { fromBinary } from '@bufbuild/protobuf';
import { type Client, type Metadata, status } from '@grpc/grpc-js';
import { systemClock } from '../../clock.ts';
import { thrownMessage } from '../../errors/thrown-message.ts';
import { takeInTurns } from '../../work/turn-budget.ts';
import { atDeadline, isTaken, metadataUntil, noGrpcDeadline } from './call-deadline.ts';
import {
  callCancelled,
  callExpired,
  callFailed,
  type InvokeOutcome,
  notConnected,
} from './invoke-outcome.ts';
import type { PacedResets } from './paced-resets.ts';
import { type NodeMessage, NodeMessageSchema } from './protocol.ts';
import { type AnswerReader, type CallListener, createAnswerReader } from './read-answer.ts';
import { notReceived, statusText, transportFailure } from './transport-failure.ts';
import { asBuffer, asBytes } from './wire-bytes.ts';

/** Time limit, cancellation and listener of a call. */
export interface CallSetting {
  /** Epoch milliseconds of the machine's clock, which gRPC uses regardless of the service's clock. */
  deadline: number;
  /** Time from the start of the call to the deadline, in milliseconds. */
  timeoutMs: number;
  signal: AbortSignal | undefined;
  listener: CallListener;
}

const path = '/svc.node.v1.NodeContainer/Invoke';

/** The connection of a call. */
export interface CallConnection {
  client: Client;
  resets: PacedResets;
  /** Sent with the call. */
  metadata: Metadata;
}

/**
 * Calls a node with the method `Invoke`, one gRPC call per node call. Uses the channel's call directly, because the stream objects
 * of grpc-js do not tell when the request has been sent, and take longer.
 *
 * @param request serialized InvokeRequest
 * @returns undefined if the connection is closing and the container has not received the call
 */
export function callInvoke(
  { client, resets, metadata }: CallConnection,
  request: Uint8Array,
  { deadline, timeoutMs, signal, listener }: CallSetting,
): Promise<InvokeOutcome | undefined> {
  if (signal?.aborted) return Promise.resolve(callCancelled);
  if (deadline <= systemClock.now()) return Promise.resolve(callExpired(timeoutMs));
  return new Promise((resolve) => {
    const answer = createAnswerReader(listener);
    const call = client.getChannel().createCall(path, noGrpcDeadline, null, null, null);
    const reset = { cancel: () => call.cancelWithStatus(status.CANCELLED, 'Cancelled on client') };
    let sent = false;
    let isPaused = false;
    let broken = false;
    const settle = (outcome: InvokeOutcome | undefined): void => {
      signal?.removeEventListener('abort', cancel);
      resolve(outcome);
    };
    /** Ends the call for its caller, who does not wait for the reset. */
    const breakOff = (outcome: InvokeOutcome): void => {
      broken = true;
      settle(outcome);
    };
    const cancel = (): void => {
      // A call that no connection has taken is not reset. If it waited, it would reach the container later.
      if (!isTaken(call, client)) reset.cancel();
      else if (!resets.reset(reset)) breakOff(callCancelled);
    };
    const timer = atDeadline(deadline, () => {
      breakOff(isTaken(call, client) ? callExpired(timeoutMs) : notConnected);
      // Nor is a call that waits for a free stream of its connection.
      if (sent) resets.reset(reset);
      else reset.cancel();
    });
    const reading = {
      pause: () => void (isPaused = true),
      resume: () => {
        isPaused = false;
        call.startRead();
      },
    };
    const messages = takeInTurns<Uint8Array>(reading, (bytes) => {
      if (broken) return;
      const failure = takeMessage(answer, bytes);
      if (!failure) return;
      breakOff(failure);
      resets.reset(reset);
    });
    signal?.addEventListener('abort', cancel, { once: true });
    call.start(metadataUntil(deadline, metadata), {
      onReceiveMetadata: () => undefined,
      onReceiveMessage: (bytes: Buffer) => {
        messages.take([asBytes(bytes)]);
        if (!isPaused) call.startRead();
      },
      onReceiveStatus: (ended) => {
        clearTimeout(timer);
        resets.ended(reset);
        if (broken) return;
        if (ended.code === status.OK) {
          messages.end(() => settle(answer.finish()));
        } else if (notReceived(ended)) {
          settle(undefined);
        } else {
          const cancelled = signal?.aborted === true;
          settle(transportFailure(ended, { cancelled, deadline, timeoutMs }));
        }
      },
    });
    call.sendMessageWithContext({ callback: () => (sent = true) }, asBuffer(request));
    call.halfClose();
    call.startRead();
  });
}

/** Returns the outcome of a call whose container has broken the protocol. */
function takeMessage(answer: AnswerReader, bytes: Uint8Array): InvokeOutcome | undefined {
  let message: NodeMessage;
  try {
    message = fromBinary(NodeMessageSchema, bytes);
  } catch (error) {
    // The text of the stream objects of grpc-js.
    const details = `Response message parsing error: ${thrownMessage(error)}`;
    return callFailed('call', statusText({ code: status.INTERNAL, details }));
  }
  return answer.take(message) === 'broken' ? answer.finish() : undefined;
}
