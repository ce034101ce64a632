import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import {
  type handleBidiStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  type Metadata,
  Server,
  ServerCredentials,
  status,
} from '@grpc/grpc-js';
import {
  DescribeResponseSchema,
  type InvokeRequest,
  InvokeRequestSchema,
  NodeMessageSchema,
  ReplySchema,
  type ServedPackageSchema,
  SessionRequestSchema,
  SessionResponseSchema,
  type WarmRequest,
  WarmRequestSchema,
} from '../../service/nodes/container/protocol.ts';

type Kind = NonNullable<MessageInitShape<typeof NodeMessageSchema>['kind']>;

/** The methods by which a container accepts calls; some containers have no sessions. */
type CallWay = 'Invoke' | 'Session';

/** A gRPC server that answers calls as scripted by a test, correctly or not. */
export interface ScriptedContainer {
  endpoint: string;
  port: number;
  /** Received requests, with their method and token. */
  requests: (InvokeRequest & { way: CallWay; authorization: string | undefined })[];
  /** Sessions so far: the number of messages of each, and functions to end or corrupt it. */
  sessions: ScriptedSession[];
  /** Requests of `Warm`; empty if the container does not offer it. */
  warmed: WarmRequest[];
  /** Number of calls of `Describe`, refused ones included. */
  described: number;
  /** Number of refused sessions, for a container without sessions. */
  refusedSessions: number;
  /** Finishes open calls and sends GOAWAY to the peers. */
  drain(): Promise<void>;
  /** Closes connections and port immediately, like a crash. */
  kill(): void;
}

interface ScriptedSession {
  /** Number of calls and cancellations per message. */
  messages: number[];
  halfClosed: boolean;
  end(): void;
  fail(code: status, details: string): void;
  sayBytes(bytes: Uint8Array): void;
}

export interface Answer {
  say(kind: Kind): void;
  sayBytes(bytes: Uint8Array): void;
  /** Ends the call gracefully. */
  end(): void;
  fail(code: status, details: string): void;
  onCancelled(listener: () => void): void;
  peer: string;
  /** The deadline that the container received from gRPC; that of the session for a call within one. */
  deadline: Date | number;
}

export interface ScriptOptions {
  /** Default: no sessions, like older containers. */
  way?: CallWay;
  /** The response to `Warm`: a status, or none. Default: not implemented. */
  warm?: status | 'never';
  /** The response to `Describe`, or its refusal. Default: not implemented. */
  describe?: MessageInitShape<typeof ServedPackageSchema>[] | status | 'never';
  /** A port to reuse after a kill; by default a free one. */
  port?: number;
  /** Maximum open calls of a connection; further calls wait at the caller. Default: unlimited. */
  maxOpenCalls?: number;
}

export async function startScriptedContainer(
  script: (answer: Answer, request: InvokeRequest) => void,
  { way = 'Invoke', port = 0, warm: readiness, describe: served, maxOpenCalls }: ScriptOptions = {},
): Promise<ScriptedContainer> {
  const server = new Server({
    'grpc.max_receive_message_length': -1,
    'grpc.max_send_message_length': -1,
    ...(maxOpenCalls !== undefined && { 'grpc.max_concurrent_streams': maxOpenCalls }),
  });
  const container: ScriptedContainer = {
    endpoint: '',
    port,
    requests: [],
    sessions: [],
    warmed: [],
    described: 0,
    refusedSessions: 0,
    drain: () => new Promise((resolve) => server.tryShutdown(() => resolve())),
    kill: () => server.forceShutdown(),
  };
  const begin = (answer: Answer, bytes: Uint8Array, by: CallWay, metadata: Metadata): void => {
    const request = fromBinary(InvokeRequestSchema, bytes);
    const [authorization] = metadata.get('authorization');
    container.requests.push({ ...request, way: by, authorization: authorization?.toString() });
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
      deadline: call.getDeadline(),
    };
    begin(answer, call.request, 'Invoke', call.metadata);
  };

  const session: handleBidiStreamingCall<Uint8Array, Uint8Array> = (call) => {
    if (way === 'Invoke') {
      container.refusedSessions += 1;
      call.emit('error', { code: status.UNIMPLEMENTED, details: 'no sessions here' });
      return;
    }
    const cancelled = new Map<bigint, () => void>();
    const session: ScriptedSession = {
      messages: [],
      halfClosed: false,
      end: () => call.end(),
      fail: (code, details) => call.emit('error', { code, details }),
      sayBytes: (bytes) => call.write(bytes),
    };
    container.sessions.push(session);
    call.on('data', (bytes: Uint8Array) => {
      const { calls } = fromBinary(SessionRequestSchema, bytes);
      session.messages.push(calls.length);
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
          deadline: call.getDeadline(),
        };
        begin(answer, toBinary(InvokeRequestSchema, kind.value), 'Session', call.metadata);
      }
    });
    call.on('end', () => {
      session.halfClosed = true;
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

  const describe: handleUnaryCall<Uint8Array, Uint8Array> = (_call, answer) => {
    container.described += 1;
    if (Array.isArray(served)) {
      answer(null, toBinary(DescribeResponseSchema, create(DescribeResponseSchema, { packages: served })));
    } else if (served !== 'never') {
      answer({ code: served ?? status.UNIMPLEMENTED, details: 'as the test says' });
    }
  };

  server.addService(
    { invoke: rawMethod('Invoke', true, false), session: rawMethod('Session', true, true) },
    { invoke, session },
  );
  if (readiness !== undefined) server.addService({ warm: rawMethod('Warm', false, false) }, { warm });
  server.addService({ describe: rawMethod('Describe', false, false) }, { describe });
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

/**
 * Returns a reply within a session.
 * @param message any bytes, in the place of a NodeMessage
 */
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
