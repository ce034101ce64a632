import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { once } from 'node:events';
import { type ConnectionScene, connectionScene, postHead } from '../../../support/connection-scene.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { openRaw } from '../../../support/raw-connection.ts';
import { until } from '../../../support/until.ts';

const echo = `${postHead('/echo', 7)}{"n":1}`;

describe('unusual and malformed requests', () => {
  let scene: ConnectionScene;
  beforeEach(async () => {
    scene = await connectionScene({ headMs: 500, bodyRate: { bytes: 100, windowMs: 500 }, idleMs: 500 });
  });
  // Every attack leaves the server able to answer.
  afterEach(async () => {
    const client = await openRaw(scene.url);
    client.send(echo);
    await client.receives(/200 OK[^]*"n":1/);
    client.socket.destroy();
    await scene.close();
  });

  const closing: Record<string, string> = {
    'a CONNECT': 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n',
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'a request of HTTP/1.0': 'GET /none HTTP/1.0\r\n\r\n',
    'a request without a host': 'GET /none HTTP/1.1\r\n\r\n',
    'a TLS hello': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    '1,000,000 line feeds': '\r\n'.repeat(500_000),
    'two lengths':
      'POST /echo HTTP/1.1\r\nHost: svc\r\nContent-Length: 7\r\nContent-Length: 8\r\n\r\n{"n":1}',
    'a length and chunks':
      'POST /echo HTTP/1.1\r\nHost: svc\r\nContent-Length: 7\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'a chunk with an endless extension': `${postHead('/echo', 'chunked')}1;${'x'.repeat(100_000)}`,
    '100,000 trailers': `${postHead('/echo', 'chunked')}7\r\n{"n":1}\r\n0\r\n${'X-Y: z\r\n'.repeat(100_000)}`,
    '5,000 short headers': `GET /none HTTP/1.1\r\nHost: svc\r\n${'a:b\r\n'.repeat(5_000)}\r\n`,
    'an unknown method': 'BREW /pot HTTP/1.1\r\nHost: svc\r\n\r\n',
  };
  for (const [title, text] of Object.entries(closing)) {
    it(`close the connection: ${title}`, async () => {
      const client = await openRaw(scene.url);
      client.send(Buffer.from(text, 'latin1'));
      assert.doesNotMatch(await client.closed, /200 OK/);
    });
  }

  it('without a Host header receive the reason', async () => {
    const client = await openRaw(scene.url);
    client.send('GET /none HTTP/1.1\r\n\r\n');
    const answer = await client.closed;
    assert.match(answer, /^HTTP\/1\.1 400 [^]*\r\nX-Request-Id: /);
    assert.match(answer, /"error":"the request is not valid HTTP: it has no header Host"/);
  });

  it('behind a pending request receive no response in its place', async () => {
    const client = await openRaw(scene.url);
    client.send('GET /hold HTTP/1.1\r\nHost: svc\r\n\r\nnonsense\r\n\r\n');
    assert.equal(await client.closed, '');
  });

  it('with a malformed body behind a pending request receive no response in its place', async () => {
    const client = await openRaw(scene.url);
    client.send(`GET /hold HTTP/1.1\r\nHost: svc\r\n\r\n${postHead('/echo', 'chunked')}ZZ\r\n`);
    assert.equal(await client.closed, '');
  });

  itSlow('to upgrade the connection are treated as ordinary requests', async () => {
    const client = await openRaw(scene.url);
    client.send(
      'GET /none HTTP/1.1\r\nHost: svc\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n',
    );
    await client.receives(/HTTP\/1\.1 404 /);
    await client.closed;
  });

  it('with a body of one-byte chunks are accepted', async () => {
    const client = await openRaw(scene.url);
    const spaces = '1\r\n \r\n'.repeat(50_000);
    client.send(`${postHead('/echo', 'chunked')}7\r\n{"n":1}\r\n${spaces}0\r\n\r\n`);
    await client.receives(/200 OK[^]*"n":1/);
  });

  it('to unknown routes with a body receive a response, and the connection stays open', async () => {
    const client = await openRaw(scene.url);
    client.send(`${postHead('/none', 70_000)}${' '.repeat(70_000)}${echo}`);
    await client.receives(/404 Not Found[^]*200 OK[^]*"n":1/);
  });

  itSlow('to unknown routes with an endless body close the connection', async () => {
    const client = await openRaw(scene.url);
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
    client.send(postHead('/none', 'chunked'));
    client.socket.on('drain', () => client.socket.write(chunk));
    for (let n = 0; n < 20; n += 1) client.socket.write(chunk);
    assert.match(await client.closed, /^HTTP\/1\.1 404 /);
  });

  it('leave no connection open after 500 that come and go', async () => {
    const { hostname, port } = new URL(scene.url);
    for (let round = 0; round < 10; round += 1) {
      const sockets = Array.from({ length: 50 }, () => connect(Number(port), hostname));
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      for (const [n, socket] of sockets.entries()) {
        socket.on('error', () => undefined);
        if (n % 3 === 0) socket.resetAndDestroy();
        else if (n % 3 === 1) socket.end(echo);
        else socket.destroy();
      }
      for (const socket of sockets) if (!socket.closed) await once(socket.resume(), 'close');
    }
    let left = 1;
    await until(() => {
      void scene.connections().then((count) => (left = count));
      return left === 0;
    });
  });
});

describe('an IPv4 connection to an IPv6 listener', () => {
  it('is counted by its IPv4 address', async () => {
    const scene = await connectionScene({ perAddress: 1 }, '::');
    const { port } = new URL(scene.url);
    const first = await openRaw(`http://127.0.0.1:${port}`);
    first.send(echo);
    await first.receives(/200 OK/);
    const other = await openRaw(`http://127.0.0.1:${port}`, '127.0.0.2');
    other.send(echo);
    await other.receives(/200 OK/);
    const second = await openRaw(`http://127.0.0.1:${port}`);
    await first.closed;
    second.send(echo);
    await second.receives(/200 OK/);
    for (const { socket } of [second, other]) socket.destroy();
    await scene.close();
  });
});
