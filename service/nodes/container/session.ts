import { fromBinary } from '@bufbuild/protobuf';
import { type Client, Metadata, status } from '@grpc/grpc-js';
import { systemClock } from '../../clock.ts';
import { TransientMap } from '../../transient-map.ts';
import type { CallSetting } from './call-invoke.ts';
import {
  callCancelled,
  callExpired,
  callFailed,
  type InvokeOutcome,
  notConnected,
} from './invoke-outcome.ts';
import { type NodeMessage, NodeMessageSchema } from './protocol.ts';
import { type AnswerReader, createAnswerReader } from './read-answer.ts';
import { decodeReplies, encodeCalls, type SessionCall, type SessionReply } from './session-codec.ts';
import { sessionFailure, statusText, type TransportStatus } from './transport-failure.ts';
import { createTurnWriter } from './turn-writer.ts';
import { asBuffer, asBytes } from './wire-bytes.ts';

/** Many unary calls of one connection over one stream (`Session` of node_container.proto). */
export interface Session {
  /** False once the stream is ending: further calls need another one. */
  readonly usable: boolean;
  /**
   * @param request serialized InvokeRequest
   * @returns undefined when the container has no sessions: then it has not seen the call
   */
  invoke(request: Uint8Array, setting: CallSetting): Promise<InvokeOutcome | undefined>;
  /** The connection stands: what was waiting for it is sent. Until then a call that its caller gives up is never sent. */
  connected(): void;
  /** Takes no further call, and ends when those that are open have their answers. */
  retire(): void;
}

interface OpenCall {
  answer: AnswerReader;
  settle(outcome: InvokeOutcome | undefined): void;
}

const path = '/svc.node.v1.NodeContainer/Session';

/** A session without calls for so long ends: it would hold its connection forever, which gRPC ends when nothing is open on it. */
const idleMs = 300_000;

/** For a container that does not end a stream that the service has ended. */
const endGraceMs = 1_000;

/** Node's timers take no more; a deadline beyond it is as good as none. */
const longestTimerMs = 2 ** 31 - 1;

/** Opens a session, and a connection when there is none. */
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
  const sayCancelled = (id: bigint): void => {
    writer.push({ id, request: undefined }, 0);
  };
  const take = ({ id, body }: SessionReply): void => {
    const call = open.get(id);
    // What is said on a call that is over was on its way before the container knew.
    if (call === undefined) return;
    const ending = readReply(call.answer, body);
    if (ending === undefined) return;
    if (ending.broken) sayCancelled(id);
    call.settle(ending.outcome);
  };

  stream.on('data', (bytes: Uint8Array) => {
    answered = true;
    let replies: SessionReply[] = [];
    try {
      replies = decodeReplies(bytes);
    } catch (error) {
      broken = { code: status.INTERNAL, details: `what came is no SessionResponse: ${String(error)}` };
      stream.cancel();
    }
    for (const reply of replies) take(reply);
  });
  // The status tells the same; without a listener the error would be thrown.
  stream.on('error', () => undefined);
  stream.on('status', (told) => {
    state = 'ended';
    clearInterval(idle);
    if (broken.code === status.OK) broken = told;
  });
  // Comes behind the last replies.
  stream.on('end', () => {
    const unimplemented = broken.code === status.UNIMPLEMENTED && !answered;
    if (unimplemented) onUnimplemented();
    const outcome = unimplemented ? undefined : sessionFailure(broken);
    for (const call of open.values()) call.settle(outcome);
    // Else what is still waiting would be written to it, and be kept by gRPC forever.
    stream.destroy();
  });

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
          if (!withdraw()) sayCancelled(id);
          settle(outcome);
        };
        const cancel = (): void => giveUp(callCancelled);
        const expire = (): void => giveUp(connected ? callExpired(timeoutMs) : notConnected);
        const timer = setTimeout(expire, Math.min(deadline - systemClock.now(), longestTimerMs));
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

/** @returns how the call ended, if it did; `broken` when the container does not know */
function readReply(
  answer: AnswerReader,
  body: SessionReply['body'],
): { outcome: InvokeOutcome; broken: boolean } | undefined {
  if (!(body instanceof Uint8Array)) {
    const { code, message } = body;
    const outcome =
      code === (status.OK as number)
        ? answer.finish()
        : callFailed('call', statusText({ code, details: message }));
    return { outcome, broken: false };
  }
  let message: NodeMessage;
  try {
    message = fromBinary(NodeMessageSchema, body);
  } catch (error) {
    // As gRPC says it of Invoke.
    const details = `Response message parsing error: ${error instanceof Error ? error.message : String(error)}`;
    return { outcome: callFailed('call', statusText({ code: status.INTERNAL, details })), broken: true };
  }
  const state = answer.take(message);
  return state === 'more' ? undefined : { outcome: answer.finish(), broken: state === 'broken' };
}
