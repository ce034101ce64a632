import { type Client, type Metadata, status } from '@grpc/grpc-js';
import { systemClock } from '../../clock.ts';
import { atDeadline, metadataUntil } from './call-deadline.ts';
import { callCancelled, callExpired, type NodeUnreachable, notConnected } from './invoke-outcome.ts';
import type { PacedResets } from './paced-resets.ts';
import type { TransportStatus } from './transport-failure.ts';
import { asBuffer, asBytes } from './wire-bytes.ts';

/** The connection of a call. */
export interface CallConnection {
  client: Client;
  resets: PacedResets;
  /** Sent with the call. */
  metadata: Metadata;
}

interface ChannelCallOptions {
  /** Epoch milliseconds of the machine's clock. */
  deadline: number;
  /** Time from the start of the call to the deadline, in milliseconds. */
  timeoutMs: number;
  onMessage: (bytes: Uint8Array) => void;
  /** Called once, when the call has ended, after its last message if the status is OK. */
  onStatus: (ended: TransportStatus) => void;
  /** Called with the outcome when the deadline passes. The call is then cancelled. */
  onDeadline: (outcome: NodeUnreachable) => void;
}

/** A started call of a connection. Messages are read one at a time. */
interface ChannelCall {
  startRead(): void;
  /**
   * Sends a message, and calls back once the connection has accepted it. Never calls back if the call ends
   * before it has a connection.
   */
  send(message: Uint8Array, accepted?: () => void): void;
  halfClose(): void;
  /** Ends the call. Its status may follow much later, because resets are paced. */
  cancel(): void;
}

/** Returns the outcome of a call that must not start. gRPC cannot cancel a call in the tick in which it starts. */
export function endedBeforeStart({
  signal,
  deadline,
  timeoutMs,
}: Pick<ChannelCallOptions, 'deadline' | 'timeoutMs'> & { signal: AbortSignal | undefined }):
  NodeUnreachable | undefined {
  if (signal?.aborted) return callCancelled;
  return deadline <= systemClock.now() ? callExpired(timeoutMs) : undefined;
}

/** Decision 0124: gRPC would reset all calls that time out together at the same moment. */
const noGrpcDeadline = Infinity;

/**
 * Starts a call of a method. Uses the channel's call directly: the stream objects of grpc-js read ahead, do
 * not report when a message has been sent, and are slower.
 */
export function startChannelCall(
  { client, resets, metadata }: CallConnection,
  path: string,
  { deadline, timeoutMs, onMessage, onStatus, onDeadline }: ChannelCallOptions,
): ChannelCall {
  const channel = client.getChannel();
  const call = channel.createCall(path, noGrpcDeadline, null, null, null);
  const reset = { cancel: () => call.cancelWithStatus(status.CANCELLED, 'Cancelled on client') };
  let sent = false;

  /** Until a connection has taken the call, gRPC returns the target of the channel as its peer. */
  const isTaken = (): boolean => call.getPeer() !== channel.getTarget();
  const cancel = (): void => {
    // A call without a connection needs no reset. If its cancellation were delayed, it could reach the
    // container later.
    if (isTaken()) resets.reset(reset);
    else reset.cancel();
  };
  const timer = atDeadline(deadline, () => {
    onDeadline(isTaken() ? callExpired(timeoutMs) : notConnected);
    // A call that is still waiting for a free stream is withdrawn at once. Otherwise the container would run
    // it after its deadline.
    if (sent) resets.reset(reset);
    else reset.cancel();
  });
  call.start(metadataUntil(deadline, metadata), {
    onReceiveMetadata: () => undefined,
    onReceiveMessage: (bytes: Buffer) => {
      // A container may respond before it has read everything that was sent.
      sent = true;
      onMessage(asBytes(bytes));
    },
    onReceiveStatus: (ended) => {
      clearTimeout(timer);
      resets.ended(reset);
      onStatus(ended);
    },
  });
  return {
    startRead: () => call.startRead(),
    send: (message, accepted) => {
      const callback = (): void => {
        sent = true;
        accepted?.();
      };
      call.sendMessageWithContext({ callback }, asBuffer(message));
    },
    halfClose: () => call.halfClose(),
    cancel,
  };
}
