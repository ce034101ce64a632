import { status } from '@grpc/grpc-js';
import { takeInTurns } from '../../work/turn-budget.ts';
import { type CallConnection, endedBeforeStart, startChannelCall } from './channel-call.ts';
import { callCancelled, type InvokeOutcome } from './invoke-outcome.ts';
import { type AnswerReader, type CallListener, createAnswerReader, readNodeMessage } from './read-answer.ts';
import { notReceived, transportFailure } from './transport-failure.ts';

/** Time limit, cancellation and listener of a call. */
export interface CallSetting {
  /** Epoch milliseconds of the machine's clock, not of the service's. */
  deadline: number;
  /** Time from the start of the call to the deadline, in milliseconds. */
  timeoutMs: number;
  signal: AbortSignal | undefined;
  listener: CallListener;
}

const path = '/svc.node.v1.NodeContainer/Invoke';

/**
 * Calls a node with the method `Invoke`, one gRPC call per node call.
 *
 * @param request serialized InvokeRequest
 * @returns undefined if the connection is closing and the container has not received the call
 */
export function callInvoke(
  connection: CallConnection,
  request: Uint8Array,
  { deadline, timeoutMs, signal, listener }: CallSetting,
): Promise<InvokeOutcome | undefined> {
  const ended = endedBeforeStart({ signal, deadline, timeoutMs });
  if (ended) return Promise.resolve(ended);
  return new Promise((resolve) => {
    const answer = createAnswerReader(listener);
    let isPaused = false;
    let settled = false;
    /** Settles the call for its caller, who does not wait for the gRPC call to end. */
    const settle = (outcome: InvokeOutcome | undefined): void => {
      settled = true;
      signal?.removeEventListener('abort', cancel);
      resolve(outcome);
    };
    const call = startChannelCall(connection, path, {
      deadline,
      timeoutMs,
      onMessage: (bytes) => {
        messages.take([bytes]);
        if (!isPaused) call.startRead();
      },
      onStatus: (ended) => {
        if (settled) return;
        if (ended.code === status.OK) {
          messages.end(() => settle(answer.finish()));
        } else if (notReceived(ended)) {
          settle(undefined);
        } else {
          const cancelled = signal?.aborted === true;
          settle(transportFailure(ended, { cancelled, deadline, timeoutMs }));
        }
      },
      onDeadline: settle,
    });
    const breakOff = (outcome: InvokeOutcome): void => {
      settle(outcome);
      call.cancel();
    };
    const cancel = (): void => breakOff(callCancelled);
    const reading = {
      pause: () => void (isPaused = true),
      resume: () => {
        isPaused = false;
        call.startRead();
      },
    };
    const messages = takeInTurns<Uint8Array>(reading, (bytes) => {
      if (settled) return;
      const failure = takeMessage(answer, bytes);
      if (failure) breakOff(failure);
    });
    signal?.addEventListener('abort', cancel, { once: true });
    call.send(request);
    call.halfClose();
    call.startRead();
  });
}

/** Returns the outcome of a call whose container has broken the protocol. */
function takeMessage(answer: AnswerReader, bytes: Uint8Array): InvokeOutcome | undefined {
  const message = readNodeMessage(bytes);
  if (message.kind === 'unreachable') return message;
  return answer.take(message) === 'broken' ? answer.finish() : undefined;
}
