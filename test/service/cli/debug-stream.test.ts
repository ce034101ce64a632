import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { ApiFailure, type ApiTarget, UnreachableError } from '../../../service/cli/api-client.ts';
import { openDebugStream } from '../../../service/cli/debug-stream.ts';

/** Rare ends of a stream, sent by a scripted server. */
describe('a debug stream', () => {
  let server: Server;
  let target: ApiTarget;
  let accept: (socket: WebSocket) => void;
  let refusal: [number, string] | undefined;
  before(async () => {
    const sockets = new WebSocketServer({ noServer: true });
    server = createServer().listen(0, '127.0.0.1');
    server.on('upgrade', (request, socket, head) => {
      assert.equal(request.headers.authorization, 'Bearer k');
      if (refusal) {
        const [status, body] = refusal;
        socket.end(
          `HTTP/1.1 ${status} Refused\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
        );
      } else {
        sockets.handleUpgrade(request, socket, head, (each) => {
          accept(each);
        });
      }
    });
    await once(server, 'listening');
    target = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: 'k' };
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Sends an event after `SESSION_READY`, and returns the types that the reader receives. */
  async function read(end: (socket: WebSocket) => void): Promise<string[]> {
    refusal = undefined;
    accept = (socket) => {
      socket.send('{"type":"SESSION_READY"}');
      socket.send('{"type":"NODE_STARTED"}');
      end(socket);
    };
    const types: string[] = [];
    const stream = await openDebugStream(target, 'x');
    for await (const { type } of stream.events) types.push(type);
    return types;
  }

  it('ends with the execution', async () => {
    assert.deepEqual(await read((socket) => socket.close(1000)), ['NODE_STARTED']);
  });

  it('reports a lost connection as retryable', async () => {
    const lost: [(socket: WebSocket) => void, RegExp][] = [
      [
        (socket) => socket.close(1001, 'the service is shutting down'),
        /closed with 1001, the service is shutting down/,
      ],
      [(socket) => socket.close(1013, 'slow consumer'), /closed with 1013, slow consumer/],
      [(socket) => socket.terminate(), /closed with 1006/],
    ];
    for (const [end, message] of lost) {
      await assert.rejects(
        read(end),
        (error) => error instanceof UnreachableError && message.test(error.message),
      );
    }
  });

  it('reports a revoked key', async () => {
    const revoked = read((socket) => socket.close(1008, 'the key is no longer valid'));
    await assert.rejects(revoked, /^CliError: http:\S+ ended the stream: the key is no longer valid$/);
  });

  it('distinguishes permanent from temporary refusals', async () => {
    const open = (status: number, body: string) => {
      refusal = [status, body];
      return openDebugStream(target, 'x');
    };
    await assert.rejects(
      open(404, '{"error":"execution not found"}'),
      /^CliError: execution "x": execution not found: run svc /,
    );
    await assert.rejects(open(429, '{"error":"too_many_followers","message":"m"}'), ApiFailure);
    await assert.rejects(open(503, '{"error":"upstream_unavailable"}'), ApiFailure);
    await assert.rejects(open(404, 'no page'), /does not answer like svc/);
  });
});
