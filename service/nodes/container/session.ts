import { type Client, Metadata, status } from '@grpc/grpc-js';
import { TransientMap } from '../../transient-map.ts';
import { takeInTurns } from '../../work/turn-budget.ts';
import { atDeadline } from './call-deadline.ts';
import type { CallSetting } from './call-invoke.ts';
import {
  callCancelled,
  callExpired,
  callFailed,
  type InvokeOutcome,
  notConnected,
} from './invoke-outcome.ts';
import { type AnswerReader, createAnswerReader, readNodeMessage } from './read-answer.ts';
import { decodeReplies, encodeCalls, type SessionCall, type SessionReply } from './session-codec.ts';
import { callText, notReceived, sessionFailure, type TransportStatus } from './transport-failure.ts';
import { createTurnWriter } from './turn-writer.ts';
import { asBuffer, asBytes } from './wire-bytes.ts';

/** Many unary calls over one stream of a connection (`Session` of node_container.proto). */
export interface Session {
  /** False once the stream is ending. Further calls need a new session. */
  readonly usable: boolean;
  /**
   * Calls a unary node.
   *
   * @param request serialized InvokeRequest
   * @returns undefined if the container has not received the call, because it has no sessions or closes the
   *   connection
   */
  invoke(request: Uint8Array, setting: CallSetting): Promise<InvokeOutcome | undefined>;
  /**
   * Sends the waiting calls, once the connection is open. A call that was cancelled before that is never
   * sent.
   */
  connected(): void;
  /** Accepts no further calls, and ends once the open calls have ended. */
  retire(): void;
}

interface OpenCall {
  answer: AnswerReader;
  settle(outcome: InvokeOutcome | undefined): void;
}

const path = '/svc.node.v1.NodeContainer/Session';

/**
 * Time without calls after which a session ends, in milliseconds. Its open stream would otherwise keep gRPC
 * from closing an idle connection.
 */
const idleMs = 300_000;

/** Time for a container to end a stream that the service has half-closed, in milliseconds. */
const endGraceMs = 1_000;

/** Opens a session, and a connection if there is none. */
export function openSession(client: Client, onUnimplemented: () => void): Session {
  const stream = client.makeBidiStreamRequest(path, asBuffer, asBytes, new Metadata());
  const writer = createTurnWriter<SessionCall>(stream, { held: true, encode: encodeCalls });
  const open = new TransientMap<bigint, OpenCall>();
  let connected = false;
  let state: 'usable' | 'retired' | 'ended' = 'usable';
  let lastId = 0n;
  let used = false;
  let answered = false;
  let broken: TransportStatus = { code: status.OK, details: '' };

  const retire = (): void => {
    if (state !== 'usable') return;
    state = 'retired';
    clearInterval(idle);
    if (open.size === 0) end();
  };
  const idle = setInterval(() => {
    if (!used && open.size === 0) retire();
    used = false;
  }, idleMs).unref();
  const end = (): void => {
    writer.end();
    setTimeout(() => stream.cancel(), endGraceMs).unref();
  };
  const sendCancel = (id: bigint): void => {
    writer.push({ id, request: undefined }, 0);
  };
  const take = ({ id, body }: SessionReply): void => {
    const call = open.get(id);
    // The reply was sent before the container received the cancellation of the call.
    if (call === undefined) return;
    const ending = readReply(call.answer, body);
    if (ending === undefined) return;
    if (ending.broken) sendCancel(id);
    call.settle(ending.outcome);
  };

  const replies = takeInTurns(stream, take);
  stream.on('data', (bytes: Uint8Array) => {
    answered = true;
    try {
      replies.take(decodeReplies(bytes));
    } catch (error) {
      broken = { code: status.INTERNAL, details: `the message is not a SessionResponse: ${String(error)}` };
      stream.cancel();
    }
  });
  // The status reports the same failure. Without a listener, the error would be thrown.
  stream.on('error', () => undefined);
  stream.on('status', (ended) => {
    state = 'ended';
    clearInterval(idle);
    if (broken.code === status.OK) broken = ended;
  });
  const finish = (): void => {
    const unimplemented = broken.code === status.UNIMPLEMENTED && !answered;
    if (unimplemented) onUnimplemented();
    const outcome = unimplemented || notReceived(broken) ? undefined : sessionFailure(broken);
    for (const call of open.values()) call.settle(outcome);
    // Otherwise the pending entries would be written to the ended stream, and gRPC would keep them forever.
    stream.destroy();
  };
  stream.on('end', () => replies.end(finish));

  return {
    get usable() {
      return state === 'usable';
    },
    invoke: (request, { deadline, timeoutMs, signal, listener }) =>
      new Promise((resolve) => {
        used = true;
        lastId += 1n;
        const id = lastId;
        const withdraw = writer.push({ id, request }, request.length);
        const settle = (outcome: InvokeOutcome | undefined): void => {
          open.delete(id);
          clearTimeout(timer);
          signal?.removeEventListener('abort', cancel);
          resolve(outcome);
          if (open.size === 0 && state === 'retired') end();
        };
        const giveUp = (outcome: InvokeOutcome): void => {
          if (!withdraw()) sendCancel(id);
          settle(outcome);
        };
        const cancel = (): void => giveUp(callCancelled);
        const expire = (): void => giveUp(connected ? callExpired(timeoutMs) : notConnected);
        const timer = atDeadline(deadline, expire);
        signal?.addEventListener('abort', cancel, { once: true });
        open.set(id, { answer: createAnswerReader(listener), settle });
      }),
    connected: () => {
      connected = true;
      writer.release();
    },
    retire,
  };
}

/**
 * Returns the outcome once the call has ended. `broken` means that the container must be told to cancel the
 * call.
 */
function readReply(
  answer: AnswerReader,
  body: SessionReply['body'],
): { outcome: InvokeOutcome; broken: boolean } | undefined {
  if (!(body instanceof Uint8Array)) {
    const { code, message } = body;
    const outcome =
      code === (status.OK as number)
        ? answer.finish()
        : callFailed('call', callText({ code, details: message }));
    return { outcome, broken: false };
  }
  const message = readNodeMessage(body);
  if (message.kind === 'unreachable') return { outcome: message, broken: true };
  const state = answer.take(message);
  return state === 'more' ? undefined : { outcome: answer.finish(), broken: state === 'broken' };
}
