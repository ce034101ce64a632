import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { ApiError } from '../../../../service/errors/api-error.ts';
import { readBody } from '../../../../service/http/request/read-body.ts';

describe('reading a body of at most 8 bytes', () => {
  let server: Server;
  let received: (request: IncomingMessage) => void;
  const sockets: Socket[] = [];

  before(async () => {
    server = createServer((request, response) => {
      // Tests may close the connection before the answer.
      response.on('error', () => undefined);
      received(request);
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
  async function send(text: string): Promise<{ request: IncomingMessage; socket: Socket }> {
    const arrived = new Promise<IncomingMessage>((resolve) => {
      received = resolve;
    });
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
    socket.write(`POST / HTTP/1.1\r\nHost: svc\r\n${text}`);
    return { request: await arrived, socket };
  }

  const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
  const read = (request: IncomingMessage): Promise<Buffer> =>
    readBody(request, { maxBytes: 8, family: 'management' });
  const status = (expected: number) => (error: unknown) =>
    error instanceof ApiError && error.status === expected;

  it('reads all 8 bytes, in any number of pieces', async () => {
    const whole = await send('Content-Length: 8\r\n\r\n12345678');
    assert.equal((await read(whole.request)).toString(), '12345678');
    const chunked = await send(`Transfer-Encoding: chunked\r\n\r\n${chunk('1234')}`);
    const body = read(chunked.request);
    await once(chunked.request, 'data');
    chunked.socket.write(`${chunk('5678')}0\r\n\r\n`);
    assert.equal((await body).toString(), '12345678');
  });

  it('reads an empty body', async () => {
    const { request } = await send('Content-Length: 0\r\n\r\n');
    assert.equal((await read(request)).length, 0);
  });

  it('refuses 9 declared bytes before they are sent', async () => {
    const { request } = await send('Content-Length: 9\r\n\r\n');
    await assert.rejects(read(request), status(413));
  });

  it('refuses the ninth byte of chunks while the sender continues', async () => {
    const { request } = await send(`Transfer-Encoding: chunked\r\n\r\n${chunk('12345678')}${chunk('9')}`);
    await assert.rejects(read(request), status(413));
  });

  it('reports a sender that leaves in the middle', async () => {
    const { request, socket } = await send('Content-Length: 8\r\n\r\n1234');
    const body = read(request);
    socket.destroy();
    await assert.rejects(body, status(400));
  });

  it('reports a sender that left before the read', async () => {
    const { request, socket } = await send('Content-Length: 8\r\n\r\n1234');
    const closed = new Promise((resolve) => request.once('close', resolve));
    socket.destroy();
    await closed;
    await assert.rejects(read(request), status(400));
  });
});
