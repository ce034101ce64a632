import { fromBinary } from '@bufbuild/protobuf';
import { type Client, Metadata, status } from '@grpc/grpc-js';
import { systemClock } from '../../clock.ts';
import type { InvokeOutcome } from './invoke-outcome.ts';
import { type NodeMessage, NodeMessageSchema } from './protocol.ts';
import { type CallListener, createAnswerReader } from './read-answer.ts';
import { transportFailure } from './transport-failure.ts';
import { asBuffer, asBytes } from './wire-bytes.ts';

/** What a call is held to on its way, by whichever method it goes. */
export interface CallSetting {
  /** Epoch milliseconds of the machine's clock, by which gRPC counts, whatever clock the service runs on. */
  deadline: number;
  /** How long that was when the call began, milliseconds. */
  timeoutMs: number;
  signal: AbortSignal | undefined;
  listener: CallListener;
}

const path = '/svc.node.v1.NodeContainer/Invoke';
const noMetadata = new Metadata();

/**
 * One call by the method `Invoke`, a gRPC call of its own.
 *
 * @param request serialized InvokeRequest
 */
export function callInvoke(
  client: Client,
  request: Uint8Array,
  { deadline, timeoutMs, signal, listener }: CallSetting,
): Promise<InvokeOutcome> {
  return new Promise((resolve) => {
    const answer = createAnswerReader(listener);
    const call = client.makeServerStreamRequest(path, asBuffer, readMessage, request, noMetadata, {
      deadline,
    });
    const cancel = (): void => call.cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted) cancel();
    let broken = false;
    call.on('data', (message: NodeMessage) => {
      if (broken || answer.take(message) !== 'broken') return;
      broken = true;
      call.cancel();
    });
    const settle = (outcome: InvokeOutcome): void => {
      signal?.removeEventListener('abort', cancel);
      resolve(outcome);
    };
    // The last messages may still be on their way when the status is known; `end` comes behind them.
    call.on('end', () => settle(answer.finish()));
    // The status tells the same; without a listener the error would be thrown.
    call.on('error', () => undefined);
    call.on('status', (ended) => {
      if (broken) settle(answer.finish());
      if (broken || ended.code === status.OK) return;
      const cancelled = signal?.aborted === true;
      settle(transportFailure(ended, { cancelled, expired: systemClock.now() >= deadline, timeoutMs }));
    });
  });
}

function readMessage(bytes: Buffer): NodeMessage {
  return fromBinary(NodeMessageSchema, asBytes(bytes));
}
