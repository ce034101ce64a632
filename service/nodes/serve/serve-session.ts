import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Metadata, type ServerDuplexStream, status } from '@grpc/grpc-js';
import { thrownMessage } from '../../errors/thrown-message.ts';
import { type InvokeRequest, InvokeRequestSchema, NodeMessageSchema } from '../container/protocol.ts';
import {
  decodeCalls,
  encodeReplies,
  type SessionCall,
  type SessionReply,
} from '../container/session-codec.ts';
import { createTurnWriter } from '../container/turn-writer.ts';
import { answerCall, type CallHost } from './answer-call.ts';
import { CallRefusal, statusOfRefusal } from './call-refusal.ts';
import type { NodeMessageKind } from './handler-context.ts';

/** The stream of one session, with messages as bytes. */
type SessionStream = ServerDuplexStream<Uint8Array, Uint8Array>;

/**
 * Serves one session. Calls run concurrently, and the responses of one event loop turn share a message.
 * Accepts no further calls while the caller does not read.
 *
 * @param maxReplyBytes a larger response fails its call, because sending it would end the session for all
 *   calls
 */
export function serveSession(host: CallHost, stream: SessionStream, maxReplyBytes: number): void {
  const open = new Map<bigint, AbortController>();
  let halfClosed = false;
  let broken = false;
  const writer = createTurnWriter<SessionReply>(stream, {
    encode: encodeReplies,
    onFull: () => stream.pause(),
    onDrain: () => stream.resume(),
  });

  const begin = async (id: bigint, request: Uint8Array): Promise<void> => {
    const caller = new AbortController();
    const { signal } = caller;
    open.set(id, caller);
    // Messages from work that outlives the handler are dropped.
    const reply = (body: SessionReply['body'], bytes: number): void => {
      if (open.get(id) === caller) writer.push({ id, body }, bytes);
    };
    const fail = ({ code, details }: { code: status; details: string }): void =>
      reply({ code, message: details }, details.length);
    const send = (kind: NodeMessageKind): void => {
      const message = toBinary(NodeMessageSchema, create(NodeMessageSchema, { kind }));
      if (message.length <= maxReplyBytes) reply(message, message.length);
      else {
        fail(tooLarge(message.length, maxReplyBytes));
        close(id);
      }
    };
    try {
      send(await answerCall(host, readRequest(request), { signal, send }));
    } catch (error) {
      if (!signal.aborted) fail(statusOfRefusal(error, host.report));
    }
    if (open.get(id) === caller) close(id);
  };
  const abandon = (): void => {
    const callers = [...open.values()];
    open.clear();
    for (const caller of callers) caller.abort(new Error('the caller no longer waits'));
  };
  const close = (id: bigint): void => {
    open.delete(id);
    if (halfClosed && open.size === 0) writer.end();
  };
  const take = ({ id, request }: SessionCall): void => {
    const caller = open.get(id);
    if (request === undefined) {
      close(id);
      caller?.abort(new Error('the caller no longer waits'));
    } else if (caller === undefined) void begin(id, request);
    else throw new Error(`the call ${id} is already open`);
  };

  // Lets the caller know before the first response that this container supports sessions.
  stream.sendMetadata(new Metadata());
  stream.on('data', (bytes: Uint8Array) => {
    if (broken) return;
    try {
      for (const call of decodeCalls(bytes)) take(call);
    } catch (error) {
      broken = true;
      abandon();
      const detail = thrownMessage(error);
      stream.emit('error', { code: status.INVALID_ARGUMENT, details: `not a session: ${detail}` });
    }
  });
  stream.on('end', () => {
    halfClosed = true;
    if (open.size === 0) writer.end();
  });
  stream.on('cancelled', abandon);
}

function readRequest(bytes: Uint8Array): InvokeRequest {
  try {
    return fromBinary(InvokeRequestSchema, bytes);
  } catch (error) {
    throw new CallRefusal('INVALID_ARGUMENT', `the call is not an InvokeRequest: ${String(error)}`);
  }
}

function tooLarge(bytes: number, most: number): { code: status; details: string } {
  // The same text as gRPC's for Invoke.
  return { code: status.RESOURCE_EXHAUSTED, details: `Sent message larger than max (${bytes} vs. ${most})` };
}
