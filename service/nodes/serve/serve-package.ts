import { create, fromBinary, type Message, toBinary } from '@bufbuild/protobuf';
import type { GenMessage } from '@bufbuild/protobuf/codegenv2';
import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServerWritableStream,
  status,
} from '@grpc/grpc-js';
import { limits } from '../../../specs/limits.ts';
import {
  type InvokeRequest,
  InvokeRequestSchema,
  type NodeMessage,
  NodeMessageSchema,
  type WarmRequest,
  WarmRequestSchema,
  type WarmResponse,
  WarmResponseSchema,
} from '../container/protocol.ts';
import { answerCall } from './answer-call.ts';
import { type BindingReader, createBindingReader } from './bound-messages.ts';
import { CallRefusal } from './call-refusal.ts';
import type { NodeMessageKind } from './handler-context.ts';
import { type HostedPackage, UnservablePackageError } from './load-package.ts';

export interface ServeOptions {
  /** 0 for any free port. */
  port: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Tells the author of handlers that threw. */
  report: (text: string) => void;
}

/** A package's nodes, being served. */
export interface NodeServer {
  /** `grpc://host:port` */
  endpoint: string;
  /** Takes no new calls and lets those that run finish, for at most `graceMs`; what still runs then is told to stop. */
  stop(graceMs?: number): Promise<void>;
}

const maxMessageBytes = limits.inputBytes + 4_194_304;

/**
 * Serves a package as a node container: `Invoke` and `Warm` of node_container.proto. `Stream` and `Session` are answered
 * UNIMPLEMENTED.
 *
 * @throws UnservablePackageError when it cannot listen
 */
export async function servePackage(
  hosted: HostedPackage,
  { port, host = '127.0.0.1', report }: ServeOptions,
): Promise<NodeServer> {
  const server = new Server({
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': maxMessageBytes,
  });
  const readBinding = createBindingReader();
  const invoke: handleServerStreamingCall<InvokeRequest, NodeMessage> = (call) => {
    void handleInvoke(hosted, call, { readBinding, report });
  };
  // Handlers are loaded before the server listens: there is nothing left to get ready.
  const warm: handleUnaryCall<WarmRequest, WarmResponse> = (_call, answer) => {
    answer(null, create(WarmResponseSchema));
  };
  server.addService(service, { invoke, warm });
  const bound = await listen(server, host, port);
  return {
    endpoint: `grpc://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    stop: (graceMs = 10_000) => stop(server, graceMs),
  };
}

async function handleInvoke(
  hosted: HostedPackage,
  call: ServerWritableStream<InvokeRequest, NodeMessage>,
  { readBinding, report }: { readBinding: BindingReader; report: (text: string) => void },
): Promise<void> {
  const caller = new AbortController();
  const { signal } = caller;
  const send = (kind: NodeMessageKind): void => {
    // What a handler says after its end, from work that it did not wait for, has nobody to read it.
    if (!signal.aborted && !call.writableEnded) call.write(create(NodeMessageSchema, { kind }));
  };
  const leave = (): void => caller.abort(new Error('the caller no longer waits'));
  call.on('cancelled', leave);
  try {
    const ending = await answerCall(hosted, call.request, { readBinding, signal, send, report });
    // gRPC says `cancelled` after calls that ended in order, too.
    call.off('cancelled', leave);
    if (signal.aborted) return;
    send(ending);
    call.end();
  } catch (error) {
    if (!signal.aborted) call.emit('error', statusOf(error, report));
  }
}

function statusOf(error: unknown, report: (text: string) => void): { code: status; details: string } {
  if (error instanceof CallRefusal) return { code: error.code, details: error.message };
  report(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return { code: status.INTERNAL, details: 'the host of the handlers failed' };
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, bound) => {
      if (!error) {
        resolve(bound);
        return;
      }
      const taken = error.message.includes('EADDRINUSE');
      reject(
        new UnservablePackageError(
          taken
            ? `port ${port} of ${host} is taken: give another one, or --port 0 for any free port`
            : `cannot listen on ${address}: ${error.message}`,
          { cause: error },
        ),
      );
    });
  });
}

function stop(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.forceShutdown(), graceMs);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

const service = {
  invoke: method('Invoke', true, InvokeRequestSchema, NodeMessageSchema),
  warm: method('Warm', false, WarmRequestSchema, WarmResponseSchema),
};

function method<Request extends Message, Response extends Message>(
  name: string,
  responseStream: boolean,
  request: GenMessage<Request>,
  response: GenMessage<Response>,
) {
  const write =
    <T extends Message>(schema: GenMessage<T>) =>
    (message: T): Buffer => {
      const bytes = toBinary(schema, message as never);
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    };
  // Handlers are promised Uint8Array; the bytes of fields are views of the kind of the whole.
  const read =
    <T extends Message>(schema: GenMessage<T>) =>
    ({ buffer, byteOffset, byteLength }: Buffer) =>
      fromBinary(schema, new Uint8Array(buffer, byteOffset, byteLength));
  return {
    path: `/svc.node.v1.NodeContainer/${name}`,
    requestStream: false,
    responseStream,
    requestSerialize: write(request),
    requestDeserialize: read(request),
    responseSerialize: write(response),
    responseDeserialize: read(response),
  };
}
