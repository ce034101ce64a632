import { status } from '@grpc/grpc-js';
import { streamTurns } from '../../work/turn-budget.ts';
import { encodeStreamFrame, encodeStreamStart, type NodeCallContext } from './call-context.ts';
import type { CallSetting } from './call-invoke.ts';
import { type CallConnection, startChannelCall } from './channel-call.ts';
import { callCancelled, callFailed, type StreamOutcome } from './invoke-outcome.ts';
import { readStreamMessage } from './stream-reader.ts';
import { transportFailure, type TransportStatus } from './transport-failure.ts';

/**
 * An open stream of a pipeline node. Nothing is read ahead: data is read from the container only while `next` waits, so a caller
 * that stops calling `next` also stops the container.
 */
export interface NodeStream {
  /**
   * Sends an input frame. Resolves with true once the connection has accepted it, which requires that the
   * container keeps up, and with false if the stream has ended. At most one call may be pending.
   *
   * @param frame serialized input message
   */
  send(frame: Uint8Array): Promise<boolean>;
  /** Sends no further frames. */
  endInput(): void;
  /** Resolves with the next output frame, or with the end of the stream. At most one call may be pending. */
  next(): Promise<StreamEvent>;
  /** Ends the stream here and in the container. */
  cancel(): void;
}

/** The next output frame of a stream, as the bytes of its message, or the end of the stream. */
export type StreamEvent = { kind: 'frame'; bytes: Uint8Array } | StreamOutcome;

interface StreamSetting extends CallSetting {
  /** Called once, when the stream has ended. */
  onEnd: (outcome: StreamOutcome) => void;
}

const path = '/svc.node.v1.NodeContainer/Stream';

/** Time in milliseconds that a container has to end the call after `done` or `error`, before the call is cancelled. */
const endGraceMs = 1_000;

/** Opens the stream of a pipeline node with the method `Stream`. */
export function openNodeStream(
  connection: CallConnection,
  context: NodeCallContext,
  { deadline, timeoutMs, signal, listener, onEnd }: StreamSetting,
): NodeStream {
  let outcome: StreamOutcome | undefined;
  let reader: ((event: StreamEvent) => void) | undefined;
  let giveUpSending: (() => void) | undefined;
  let ending: NodeJS.Timeout | undefined;

  const settle = (ended: StreamOutcome): void => {
    if (outcome) return;
    outcome = ended;
    signal?.removeEventListener('abort', cancel);
    giveUpSending?.();
    reader?.(ended);
    reader = undefined;
    onEnd(ended);
  };
  const breakOff = (ended: StreamOutcome): void => {
    settle(ended);
    call.cancel();
  };
  const cancel = (): void => {
    if (!outcome) breakOff(callCancelled);
  };
  /** Reads the next message, in this turn of the event loop or a later one. */
  const startRead = (): void => {
    if (streamTurns.isSpent()) void streamTurns.queue().then(() => call.startRead());
    else call.startRead();
  };
  const onMessage = (bytes: Uint8Array): void => {
    if (outcome) {
      // The container has not ended the call, which would stay open.
      call.cancel();
      return;
    }
    const event = readStreamMessage(bytes, listener);
    if (event === undefined) {
      startRead();
    } else if (event.kind === 'frame') {
      const read = reader;
      reader = undefined;
      read?.(event);
    } else if (event.kind === 'unreachable') {
      breakOff(event);
    } else {
      settle(event);
      call.halfClose();
      // Reads on to the status that ends the call.
      call.startRead();
      ending = setTimeout(() => call.cancel(), endGraceMs).unref();
    }
  };
  const onStatus = (ended: TransportStatus): void => {
    clearTimeout(ending);
    const cancelled = signal?.aborted === true;
    settle(
      ended.code === status.OK
        ? callFailed('protocol', 'the container ended the stream without done or error')
        : transportFailure(ended, { cancelled, deadline, timeoutMs }),
    );
  };

  const call = startChannelCall(connection, path, {
    deadline,
    timeoutMs,
    onMessage,
    onStatus,
    onDeadline: settle,
  });
  const write = (message: Uint8Array): Promise<boolean> =>
    new Promise((resolve) => {
      // gRPC never calls back for a call that ends before it has a connection.
      giveUpSending = () => resolve(false);
      call.send(message, () => resolve(outcome === undefined));
    });
  const started = write(encodeStreamStart(context));
  signal?.addEventListener('abort', cancel, { once: true });

  return {
    send: async (frame) => {
      await started;
      return outcome === undefined && write(encodeStreamFrame(frame));
    },
    endInput: () => {
      void started.then(() => {
        if (!outcome) call.halfClose();
      });
    },
    next: () => {
      if (outcome) return Promise.resolve(outcome);
      return new Promise((resolve) => {
        reader = resolve;
        startRead();
      });
    },
    cancel,
  };
}
