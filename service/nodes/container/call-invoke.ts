import { fromBinary } from '@bufbuild/protobuf';
import { type Client, Metadata, status } from '@grpc/grpc-js';
import { takeInTurns } from '../../work/turn-budget.ts';
import { callCancelled, type InvokeOutcome } from './invoke-outcome.ts';
import type { PacedResets } from './paced-resets.ts';
import { type NodeMessage, NodeMessageSchema } from './protocol.ts';
import { type CallListener, createAnswerReader } from './read-answer.ts';
import { notReceived, transportFailure } from './transport-failure.ts';
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
const noMetadata = new Metadata();

/**
 * Calls a node with the method `Invoke`, one gRPC call per node call.
 *
 * @param request serialized InvokeRequest
 * @returns undefined if the connection is closing and the container has not received the call
 */
export function callInvoke(
  { client, resets }: { client: Client; resets: PacedResets },
  request: Uint8Array,
  { deadline, timeoutMs, signal, listener }: CallSetting,
): Promise<InvokeOutcome | undefined> {
  return new Promise((resolve) => {
    const answer = createAnswerReader(listener);
    const call = client.makeServerStreamRequest(path, asBuffer, readMessage, request, noMetadata, {
      deadline,
    });
    let broken = false;
    const settle = (outcome: InvokeOutcome | undefined): void => {
      signal?.removeEventListener('abort', cancel);
      resolve(outcome);
    };
    const cancel = (): void => {
      // A call that no connection has taken is not reset. If it waited, it would reach the container later.
      if (call.getPeer() === client.getChannel().getTarget()) {
        call.cancel();
        return;
      }
      if (resets.reset(call)) return;
      // The caller does not wait for the reset.
      broken = true;
      settle(callCancelled);
    };
    const messages = takeInTurns<NodeMessage>(call, (message) => {
      if (broken || answer.take(message) !== 'broken') return;
      broken = true;
      if (!resets.reset(call)) settle(answer.finish());
    });
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted) cancel();
    call.on('data', (message: NodeMessage) => messages.take([message]));
    // The status may precede the last messages. `end` follows them.
    call.on('end', () => messages.end(() => settle(answer.finish())));
    // The status reports the same failure. Without a listener the error would be thrown.
    call.on('error', () => undefined);
    call.on('status', (ended) => {
      resets.ended(call);
      if (broken) settle(answer.finish());
      if (broken || ended.code === status.OK) return;
      if (notReceived(ended)) {
        settle(undefined);
        return;
      }
      const cancelled = signal?.aborted === true;
      settle(transportFailure(ended, { cancelled, deadline, timeoutMs }));
    });
  });
}

function readMessage(bytes: Buffer): NodeMessage {
  return fromBinary(NodeMessageSchema, asBytes(bytes));
}
