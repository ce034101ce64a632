import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import {
  type handleBidiStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  Server,
  ServerCredentials,
  status,
} from '@grpc/grpc-js';
import {
  type InvokeRequest,
  InvokeRequestSchema,
  NodeMessageSchema,
  ReplySchema,
  SessionRequestSchema,
  SessionResponseSchema,
  type WarmRequest,
  WarmRequestSchema,
} from '../../service/nodes/container/protocol.ts';

type Kind = NonNullable<MessageInitShape<typeof NodeMessageSchema>['kind']>;

/** By which methods a container takes calls: some have no sessions. */
export type CallWay = 'Invoke' | 'Session';

/** A gRPC server that answers calls as a test says, right or wrong. */
export interface ScriptedContainer {
  endpoint: string;
  port: number;
  /** Requests so far, with the way they came. */
  requests: (InvokeRequest & { way: CallWay })[];
  /** Sessions so far: how many messages each has had, and the words to end or spoil it. */
  sessions: ScriptedSession[];
  /** Asked to get ready, so often; empty where it does not offer that. */
  warmed: WarmRequest[];
  /** Asked for sessions that it does not have, so often. */
  refusedSessions: number;
  /** Lets open calls finish and tells the peers to leave. */
  drain(): Promise<void>;
  /** Kills connections and port at once, like a crash. */
  kill(): void;
}

export interface ScriptedSession {
  /** How many calls and cancellations each message had. */
  messages: number[];
  halfClosed: boolean;
  end(): void;
  fail(code: status, details: string): void;
  sayBytes(bytes: Uint8Array): void;
}

export interface Answer {
  say(kind: Kind): void;
  sayBytes(bytes: Uint8Array): void;
  /** Ends the call in order. */
  end(): void;
  fail(code: status, details: string): void;
  onCancelled(listener: () => void): void;
  peer: string;
}

export interface ScriptOptions {
  /** Default: it has no sessions, as older containers. */
  way?: CallWay;
  /** Whether it offers `Warm`, and how it answers: with a status, or never. Default: it does not. */
  warm?: status | 'never';
  /** One to take again after a kill; any free one when left out. */
  port?: number;
}

export async function startScriptedContainer(
  script: (answer: Answer, request: InvokeRequest) => void,
  { way = 'Invoke', port = 0, warm: readiness }: ScriptOptions = {},
): Promise<ScriptedContainer> {
  const server = new Server({
    'grpc.max_receive_message_length': -1,
    'grpc.max_send_message_length': -1,
  });
  const container: ScriptedContainer = {
    endpoint: '',
    port,
    requests: [],
    sessions: [],
    warmed: [],
    refusedSessions: 0,
    drain: () => new Promise((resolve) => server.tryShutdown(() => resolve())),
    kill: () => server.forceShutdown(),
  };
  const begin = (answer: Answer, bytes: Uint8Array, by: CallWay): void => {
    const request = fromBinary(InvokeRequestSchema, bytes);
    container.requests.push({ ...request, way: by });
    script(answer, request);
  };

  const invoke: handleServerStreamingCall<Uint8Array, Uint8Array> = (call) => {
    const answer: Answer = {
      say: (kind) => call.write(nodeMessage(kind)),
      sayBytes: (bytes) => call.write(bytes),
      end: () => call.end(),
      fail: (code, details) => call.emit('error', { code, details }),
      onCancelled: (listener) => call.on('cancelled', listener),
      peer: call.getPeer(),
    };
    begin(answer, call.request, 'Invoke');
  };

  const session: handleBidiStreamingCall<Uint8Array, Uint8Array> = (call) => {
    if (way === 'Invoke') {
      container.refusedSessions += 1;
      call.emit('error', { code: status.UNIMPLEMENTED, details: 'no sessions here' });
      return;
    }
    const cancelled = new Map<bigint, () => void>();
    const told: ScriptedSession = {
      messages: [],
      halfClosed: false,
      end: () => call.end(),
      fail: (code, details) => call.emit('error', { code, details }),
      sayBytes: (bytes) => call.write(bytes),
    };
    container.sessions.push(told);
    call.on('data', (bytes: Uint8Array) => {
      const { calls } = fromBinary(SessionRequestSchema, bytes);
      told.messages.push(calls.length);
      for (const { id, kind } of calls) {
        if (kind.case === 'cancel') cancelled.get(id)?.();
        if (kind.case !== 'invoke') continue;
        const answer: Answer = {
          say: (said) => call.write(sessionReply(id, nodeMessage(said))),
          sayBytes: (said) => call.write(sessionReply(id, said)),
          end: () => call.write(sessionFailed(id, status.OK, '')),
          fail: (code, details) => call.write(sessionFailed(id, code, details)),
          onCancelled: (listener) => cancelled.set(id, listener),
          peer: call.getPeer(),
        };
        begin(answer, toBinary(InvokeRequestSchema, kind.value), 'Session');
      }
    });
    call.on('end', () => {
      told.halfClosed = true;
      call.end();
    });
    call.on('cancelled', () => {
      for (const listener of cancelled.values()) listener();
    });
  };

  const warm: handleUnaryCall<Uint8Array, Uint8Array> = ({ request }, answer) => {
    container.warmed.push(fromBinary(WarmRequestSchema, request));
    if (readiness === 'never') return;
    if (readiness === status.OK) answer(null, new Uint8Array());
    else answer({ code: readiness ?? status.UNKNOWN, details: 'as the test says' });
  };

  server.addService(
    { invoke: rawMethod('Invoke', true, false), session: rawMethod('Session', true, true) },
    { invoke, session },
  );
  if (readiness !== undefined) server.addService({ warm: rawMethod('Warm', false, false) }, { warm });
  container.port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, taken) =>
      error ? reject(error) : resolve(taken),
    );
  });
  container.endpoint = `grpc://127.0.0.1:${container.port}`;
  return container;
}

function nodeMessage(kind: Kind): Uint8Array {
  return toBinary(NodeMessageSchema, create(NodeMessageSchema, { kind }));
}

/** @param message any bytes, in the place of a NodeMessage */
function sessionReply(id: bigint, message: Uint8Array): Uint8Array {
  const { replies } = SessionResponseSchema.field;
  const writer = new BinaryWriter().tag(replies.number, WireType.LengthDelimited).fork();
  writer.tag(ReplySchema.field.id.number, WireType.Varint).uint64(id);
  writer.tag(ReplySchema.field.message.number, WireType.LengthDelimited).bytes(message);
  return writer.join().finish();
}

function sessionFailed(id: bigint, code: status, message: string): Uint8Array {
  const replies = [{ id, kind: { case: 'failed' as const, value: { code, message } } }];
  return toBinary(SessionResponseSchema, create(SessionResponseSchema, { replies }));
}

function rawMethod(name: string, responseStream: boolean, requestStream: boolean) {
  return {
    path: `/svc.node.v1.NodeContainer/${name}`,
    requestStream,
    responseStream,
    requestSerialize: (bytes: Uint8Array) => Buffer.from(bytes),
    requestDeserialize: (bytes: Buffer) => new Uint8Array(bytes),
    responseSerialize: (bytes: Uint8Array) => Buffer.from(bytes),
    responseDeserialize: (bytes: Buffer) => new Uint8Array(bytes),
  };
}
