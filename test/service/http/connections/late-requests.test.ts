import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { type ConnectionScene, connectionScene, postHead } from '../../../support/connection-scene.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { openRaw } from '../../../support/raw-connection.ts';
import { until } from '../../../support/until.ts';

/** Writes a text piece by piece, with a pause after each, until the connection is closed. */
async function drip(
  client: { socket: { destroyed: boolean }; send(text: string): void },
  pieces: Iterable<string>,
): Promise<void> {
  for (const piece of pieces) {
    if (client.socket.destroyed) return;
    client.send(piece);
    await pause(20);
  }
}

describe('the head of a request', () => {
  let scene: ConnectionScene;
  const headMs = 300;
  beforeEach(async () => {
    scene = await connectionScene({ headMs });
  });
  afterEach(() => scene.close());

  it('that never starts closes the connection', async () => {
    const client = await openRaw(scene.url);
    assert.match(await client.closed, /^HTTP\/1\.1 408 /);
  });

  it('that stalls closes the connection with 408', async () => {
    const client = await openRaw(scene.url);
    client.send('POST /echo HTTP/1.1\r\nX-Slow: ');
    const head = /^HTTP\/1\.1 408 [^]*"error":"the head of the request was not complete within 0\.3 seconds"/;
    assert.match(await client.closed, head);
  });

  it('that arrives byte by byte closes the connection with 408', async () => {
    const client = await openRaw(scene.url);
    await drip(client, `GET /hold HTTP/1.1\r\nHost: svc\r\nX-Slow: ${'a'.repeat(10_000)}`);
    assert.match(await client.closed, /^HTTP\/1\.1 408 /);
  });

  it('that stalls after a served request closes the connection', async () => {
    const client = await openRaw(scene.url);
    client.send(`${postHead('/echo', 7)}{"n":1}`);
    await client.receives(/"n":1/);
    client.send('GET /hold HTTP/1.1\r\n');
    assert.match(await client.closed, /"n":1[^]*HTTP\/1\.1 408 /);
  });

  itSlow('may be followed by a wait of any length once it is complete', async () => {
    const client = await openRaw(scene.url);
    client.send('GET /hold HTTP/1.1\r\nHost: svc\r\n\r\n');
    await until(() => scene.held() === 1);
    await pause(2 * headMs + 1_000);
    scene.release();
    await client.receives(/200 OK[^]*"n":1/);
  });

  it('is limited to 16 KiB', async () => {
    const client = await openRaw(scene.url);
    const withHeader = (bytes: number): string =>
      `${postHead('/echo', 7, `X-Large: ${'a'.repeat(bytes)}\r\n`)}{"n":1}`;
    client.send(withHeader(16_000));
    await client.receives(/200 OK/);
    client.send(withHeader(17_000));
    assert.match(await client.closed, /200 OK[^]*HTTP\/1\.1 431 /);
  });
});

describe('a request that arrives while the process is suspended', () => {
  /** Lets nothing run in this process for a time. */
  const suspend = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  const get = 'GET /hold HTTP/1.1\r\nHost: svc\r\n\r\n';
  let scene: ConnectionScene;
  afterEach(() => scene.close());

  it('is served on a connection that was idle', async () => {
    scene = await connectionScene({ idleMs: 200 });
    const client = await openRaw(scene.url);
    client.send(`${postHead('/echo', 7)}{"n":1}`);
    await client.receives(/"n":1/);
    client.send(get);
    // Node adds a second.
    suspend(1_500);
    await until(() => scene.held() === 1);
    scene.release();
    await client.receives(/"n":1[^]*200 OK[^]*"n":1/);
    client.socket.destroy();
  });

  it('is served on a connection that serves further requests', async () => {
    scene = await connectionScene({ headMs: 200 });
    const client = await openRaw(scene.url);
    assert.equal(await scene.connections(), 1);
    client.send(`${postHead('/echo', 7)}{"n":1}`);
    suspend(1_000);
    await client.receives(/"n":1/);
    client.send(`${postHead('/echo', 7)}{"n":2}`);
    await client.receives(/"n":1[^]*200 OK[^]*"n":2/);
    client.socket.destroy();
  });

  it('is refused if its head is still incomplete', async () => {
    scene = await connectionScene({ headMs: 200 });
    const client = await openRaw(scene.url);
    client.send(get);
    await until(() => scene.held() === 1);
    client.send('GET /hold HTTP/1.1\r\n');
    await pause(50);
    client.send('X');
    suspend(1_000);
    await client.closed;
    scene.release();
  });

  it('is served on a connection that is new', async () => {
    scene = await connectionScene({ headMs: 200 });
    const client = await openRaw(scene.url);
    assert.equal(await scene.connections(), 1);
    client.send(get);
    suspend(1_000);
    await until(() => scene.held() === 1);
    scene.release();
    await client.receives(/200 OK[^]*"n":1/);
    client.socket.destroy();
  });
});

describe('the body of a request', () => {
  let scene: ConnectionScene;
  const open = async (bytes: number, windowMs: number): Promise<void> => {
    scene = await connectionScene({ bodyRate: { bytes, windowMs } });
  };
  afterEach(() => scene.close());

  it('that stalls closes the connection with 408', async () => {
    await open(10, 100);
    const client = await openRaw(scene.url);
    client.send(`${postHead('/echo', 100)}{`);
    assert.match(
      await client.closed,
      /^HTTP\/1\.1 408 [^]*\r\nX-Request-Id: ([\w-]+)\r\n[^]*\{"error":"the request body stalled: send at least 10 bytes in 0.1 seconds",.*"request_id":"\1"\}$/,
    );
  });

  it('that never starts closes the connection, even with an Expect header', async () => {
    await open(10, 100);
    const client = await openRaw(scene.url);
    client.send(postHead('/echo', 100, 'Expect: 100-continue\r\n'));
    assert.match(await client.closed, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 408 /);
  });

  it('that arrives byte by byte closes the connection', async () => {
    await open(100, 200);
    const client = await openRaw(scene.url);
    client.send(`${postHead('/echo', 10_000)}{`);
    await drip(client, ' '.repeat(10_000));
    assert.match(await client.closed, /^HTTP\/1\.1 408 /);
  });

  it('that lacks its last chunk closes the connection', async () => {
    await open(10, 100);
    const client = await openRaw(scene.url);
    client.send(`${postHead('/echo', 'chunked')}7\r\n{"n":1}\r\n`);
    assert.match(await client.closed, /^HTTP\/1\.1 408 /);
  });

  it('that stalls in its trailers closes the connection', async () => {
    await open(10, 100);
    const client = await openRaw(scene.url);
    client.send(`${postHead('/echo', 'chunked')}7\r\n{"n":1}\r\n0\r\nX-Trailer: `);
    assert.match(await client.closed, /^HTTP\/1\.1 408 /);
  });

  it('that stalls behind a pending request closes the connection', async () => {
    await open(10, 100);
    const client = await openRaw(scene.url);
    client.send(`GET /hold HTTP/1.1\r\nHost: svc\r\n\r\n${postHead('/echo', 100)}{`);
    assert.equal(await client.closed, '');
    assert.equal(scene.held(), 1);
  });

  itSlow('may take any time at the minimum rate', async () => {
    await open(1, 1_000);
    const client = await openRaw(scene.url);
    client.send(`${postHead('/echo', 127)}{"n":1}`);
    await drip(client, ' '.repeat(120));
    await client.receives(/200 OK[^]*"n":1/);
  });

  it('may pause if it is a stream of lines', async () => {
    await open(1_000, 50);
    const client = await openRaw(scene.url);
    const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
    client.send(`${postHead('/upload', 'chunked')}${chunk('{}\n')}`);
    await until(() => scene.lines.length === 1);
    await pause(500);
    client.send(`${chunk('{}\n')}0\r\n\r\n`);
    await client.receives(/200 OK[^]*\["\{\}","\{\}"\]/);
  });

  it('may end with a half-closed connection', async () => {
    await open(10, 100);
    const client = await openRaw(scene.url);
    client.socket.end(`${postHead('/echo', 7)}{"n":1}`);
    await client.receives(/200 OK[^]*"n":1/);
    await client.closed;
  });

  it('that is cut off by the sender closes the connection', async () => {
    await open(10, 100);
    const client = await openRaw(scene.url);
    client.socket.end(`${postHead('/echo', 100)}{`);
    assert.doesNotMatch(await client.closed, /200 OK/);
  });
});
