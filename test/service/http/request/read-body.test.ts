import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tooManyLargeBodies } from '../../../../service/errors/memory-errors.ts';
import { ApiError } from '../../../../service/errors/api-error.ts';
import { HeldMemory } from '../../../../service/http/held-memory.ts';
import { readBody } from '../../../../service/http/request/read-body.ts';

interface Arrived {
  request: IncomingMessage;
  response: ServerResponse;
}

describe('reading a body of at most 8 bytes', () => {
  let server: Server;
  let received: (arrived: Arrived) => void;
  const sockets: Socket[] = [];

  before(async () => {
    server = createServer((request, response) => {
      // Tests may close the connection before the answer.
      response.on('error', () => undefined);
      received({ request, response });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  after(async () => {
    server.close();
    await once(server, 'close');
  });

  /** Sends the start of a request. Resolves when its headers have arrived. */
  async function send(text: string): Promise<Arrived & { socket: Socket }> {
    const arrived = new Promise<Arrived>((resolve) => {
      received = resolve;
    });
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
    socket.write(`POST / HTTP/1.1\r\nHost: svc\r\n${text}`);
    return { ...(await arrived), socket };
  }

  const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
  const unbounded = new HeldMemory({
    perCaller: Infinity,
    total: Infinity,
    callerRefusal: tooManyLargeBodies,
    totalRefusal: tooManyLargeBodies,
  });
  const read = ({ request, response }: Arrived): Promise<Buffer> =>
    readBody(request, response, {
      maxBytes: 8,
      family: 'management',
      memory: unbounded.share({ name: 'test', hasKey: true }),
    });
  const status = (expected: number) => (error: unknown) =>
    error instanceof ApiError && error.status === expected;

  it('accepts 8 bytes in any number of pieces', async () => {
    const whole = await send('Content-Length: 8\r\n\r\n12345678');
    assert.equal((await read(whole)).toString(), '12345678');
    const chunked = await send(`Transfer-Encoding: chunked\r\n\r\n${chunk('1234')}`);
    const body = read(chunked);
    await once(chunked.request, 'data');
    chunked.socket.write(`${chunk('5678')}0\r\n\r\n`);
    assert.equal((await body).toString(), '12345678');
  });

  it('accepts an empty body', async () => {
    assert.equal((await read(await send('Content-Length: 0\r\n\r\n'))).length, 0);
  });

  it('rejects a declared length of 9 bytes before they are sent', async () => {
    const sent = await send('Content-Length: 9\r\n\r\n');
    await assert.rejects(read(sent), status(413));
  });

  it('rejects the ninth byte of a chunked body while the sender continues', async () => {
    const sent = await send(`Transfer-Encoding: chunked\r\n\r\n${chunk('12345678')}${chunk('9')}`);
    await assert.rejects(read(sent), status(413));
  });

  it('reports a client that disconnects during the body', async () => {
    const sent = await send('Content-Length: 8\r\n\r\n1234');
    const body = read(sent);
    sent.socket.destroy();
    await assert.rejects(body, status(400));
  });

  it('reports a client that disconnected before the read', async () => {
    const sent = await send('Content-Length: 8\r\n\r\n1234');
    const closed = new Promise((resolve) => sent.request.once('close', resolve));
    sent.socket.destroy();
    await closed;
    await assert.rejects(read(sent), status(400));
  });
});
