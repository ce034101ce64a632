import { createSecureContext } from 'node:tls';
import { create, fromBinary, type Message, toBinary } from '@bufbuild/protobuf';
import type { GenMessage } from '@bufbuild/protobuf/codegenv2';
import {
  type handleBidiStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServerWritableStream,
} from '@grpc/grpc-js';
import { limits } from '../../../specs/limits.ts';
import {
  type DescribeRequest,
  DescribeRequestSchema,
  type DescribeResponse,
  DescribeResponseSchema,
  type InvokeRequest,
  InvokeRequestSchema,
  type NodeMessage,
  NodeMessageSchema,
  type StreamRequest,
  StreamRequestSchema,
  type WarmRequest,
  WarmRequestSchema,
  type WarmResponse,
  WarmResponseSchema,
} from '../container/protocol.ts';
import { turnMessageBytes } from '../container/turn-writer.ts';
import { asBuffer, asBytes } from '../container/wire-bytes.ts';
import { answerCall, type CallHost } from './answer-call.ts';
import { createBindingReader } from './bound-messages.ts';
import { statusOfRefusal } from './call-refusal.ts';
import { describePackage } from './describe-package.ts';
import type { NodeMessageKind } from './handler-context.ts';
import { UnservablePackageError } from './compile-package.ts';
import type { HostedPackage } from './load-package.ts';
import { requireToken } from './require-token.ts';
import { serveSession } from './serve-session.ts';
import { serveStream } from './serve-stream.ts';

interface ServeOptions {
  /** 0 for any free port. */
  port: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Receives the unexpected errors of handlers. */
  report: (text: string) => void;
  /** Certificate chain and private key, PEM. Default: no TLS. */
  tls?: { cert: Buffer; key: Buffer } | undefined;
  /** The token that calls must carry. Default: none is required. */
  token?: string | undefined;
}

/** A running node host. */
export interface NodeServer {
  /** `grpc://host:port`, or `grpcs://host:port` with TLS. */
  endpoint: string;
  /** Handles further calls with this package. Calls in progress finish with the previous one. */
  replace(hosted: HostedPackage): void;
  /** Accepts no new calls, waits up to `graceMs` for open ones, and then cancels the rest. */
  stop(graceMs?: number): Promise<void>;
}

const maxMessageBytes = limits.inputBytes + 4_194_304;

/**
 * Serves a package as a node container, with all methods of node_container.proto.
 *
 * @throws UnservablePackageError if it cannot listen, or the certificate and key cannot be used
 */
export async function servePackage(
  hosted: HostedPackage,
  { port, host = '127.0.0.1', report, tls, token }: ServeOptions,
): Promise<NodeServer> {
  const server = new Server({
    'grpc.max_receive_message_length': maxMessageBytes,
    // The largest response may share its message with others of the same event loop turn.
    'grpc.max_send_message_length': maxMessageBytes + 2 * turnMessageBytes,
    ...(token !== undefined && { interceptors: [requireToken(token)] }),
  });
  const calls: CallHost = { hosted, readBinding: createBindingReader(), report };
  const invoke: handleServerStreamingCall<InvokeRequest, NodeMessage> = (call) => {
    void handleInvoke(calls, call);
  };
  const session: handleBidiStreamingCall<Uint8Array, Uint8Array> = (stream) =>
    serveSession(calls, stream, maxMessageBytes);
  const stream: handleBidiStreamingCall<StreamRequest, NodeMessage> = (call) => {
    void serveStream(calls, call);
  };
  // Handlers are loaded before the server listens, so there is nothing to prepare.
  const warm: handleUnaryCall<WarmRequest, WarmResponse> = (_call, answer) => {
    answer(null, create(WarmResponseSchema));
  };
  let description = describePackage(hosted);
  const describe: handleUnaryCall<DescribeRequest, DescribeResponse> = (_call, answer) => {
    answer(null, description);
  };
  server.addService(service, { invoke, session, stream, warm, describe });
  const bound = await listen(server, { host, port, credentials: serverCredentials(tls) });
  return {
    endpoint: `${tls ? 'grpcs' : 'grpc'}://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    replace: (next) => {
      description = describePackage(next);
      calls.hosted = next;
    },
    stop: (graceMs = 10_000) => stop(server, graceMs),
  };
}

async function handleInvoke(
  host: CallHost,
  call: ServerWritableStream<InvokeRequest, NodeMessage>,
): Promise<void> {
  const caller = new AbortController();
  const { signal } = caller;
  const send = (kind: NodeMessageKind): void => {
    // Messages from work that outlives the handler are dropped.
    if (!signal.aborted && !call.writableEnded) call.write(create(NodeMessageSchema, { kind }));
  };
  const leave = (): void => caller.abort(new Error('the caller no longer waits'));
  call.on('cancelled', leave);
  try {
    const ending = await answerCall(host, call.request, { signal, send });
    // gRPC also emits `cancelled` after calls that ended normally.
    call.off('cancelled', leave);
    if (signal.aborted) return;
    send(ending);
    call.end();
  } catch (error) {
    if (!signal.aborted) call.emit('error', statusOfRefusal(error, host.report));
  }
}

/** @throws UnservablePackageError */
function serverCredentials(tls: ServeOptions['tls']): ServerCredentials {
  if (!tls) return ServerCredentials.createInsecure();
  try {
    // gRPC would report an invalid certificate or key only on the first connection.
    createSecureContext(tls);
  } catch (error) {
    throw new UnservablePackageError(
      `the TLS certificate and key cannot be used (${(error as Error).message}): give a PEM file with the certificate chain and one with its private key`,
      { cause: error },
    );
  }
  return ServerCredentials.createSsl(null, [{ private_key: tls.key, cert_chain: tls.cert }]);
}

function listen(
  server: Server,
  { host, port, credentials }: { host: string; port: number; credentials: ServerCredentials },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    server.bindAsync(address, credentials, (error, bound) => {
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
    const timer = setTimeout(() => {
      server.forceShutdown();
      // gRPC never reports the end of a connection that did not complete the HTTP/2 handshake.
      resolve();
    }, graceMs);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

const service = {
  invoke: {
    ...method('Invoke', InvokeRequestSchema, NodeMessageSchema),
    requestStream: false,
    responseStream: true,
  },
  stream: {
    ...method('Stream', StreamRequestSchema, NodeMessageSchema),
    requestStream: true,
    responseStream: true,
  },
  session: {
    path: pathOf('Session'),
    requestStream: true,
    responseStream: true,
    requestSerialize: asBuffer,
    requestDeserialize: asBytes,
    responseSerialize: asBuffer,
    responseDeserialize: asBytes,
  },
  warm: {
    ...method('Warm', WarmRequestSchema, WarmResponseSchema),
    requestStream: false,
    responseStream: false,
  },
  describe: {
    ...method('Describe', DescribeRequestSchema, DescribeResponseSchema),
    requestStream: false,
    responseStream: false,
  },
};

function method<Request extends Message, Response extends Message>(
  name: string,
  request: GenMessage<Request>,
  response: GenMessage<Response>,
) {
  const write =
    <T extends Message>(schema: GenMessage<T>) =>
    (message: T): Buffer =>
      asBuffer(toBinary(schema, message as never));
  const read =
    <T extends Message>(schema: GenMessage<T>) =>
    (bytes: Buffer) =>
      fromBinary(schema, asBytes(bytes));
  return {
    path: pathOf(name),
    requestSerialize: write(request),
    requestDeserialize: read(request),
    responseSerialize: write(response),
    responseDeserialize: read(response),
  };
}

function pathOf(method: string): string {
  return `/svc.node.v1.NodeContainer/${method}`;
}
