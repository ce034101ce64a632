import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';

/** An HTTP/2 server in place of a node container, which does not have to speak gRPC. */
export interface RawContainer {
  /** `grpc://127.0.0.1:port` */
  endpoint: string;
  /** Names of the methods that were called. */
  called: string[];
  /** Connections so far. */
  connections: number;
  stop(): Promise<void>;
}

/**
 * Starts a server.
 * @param answer receives each call with the name of its method
 */
export async function startRawContainer(
  answer: (stream: ServerHttp2Stream, method: string, headers: IncomingHttpHeaders) => void,
): Promise<RawContainer> {
  const server = createServer();
  const sessions = new Set<ServerHttp2Session>();
  const container: RawContainer = {
    endpoint: '',
    called: [],
    connections: 0,
    stop: async () => {
      for (const session of sessions) session.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  server.on('session', (session) => {
    container.connections += 1;
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  server.on('stream', (stream, headers) => {
    // The client resets the streams of cancelled calls.
    stream.on('error', () => undefined);
    const method = headers[':path']?.split('/').at(-1) ?? '';
    container.called.push(method);
    answer(stream, method, headers);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  container.endpoint = `grpc://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return container;
}

/** Returns a gRPC message in its wire framing. */
export function grpcFrame(message: Uint8Array, { compressed = false } = {}): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(compressed ? 1 : 0, 0);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** Responds to a unary call. */
export function answerUnary(stream: ServerHttp2Stream, message: Uint8Array): void {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(grpcFrame(message));
}
