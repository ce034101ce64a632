import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mock } from 'node:test';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Gate } from '../../../../service/access/gate/gate.ts';
import { ApiError } from '../../../../service/errors/api-error.ts';
import { closeServer } from '../../../../service/http/listening.ts';
import { withoutEnvelope } from '../../../support/error-envelope.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { openRaw } from '../../../support/raw-connection.ts';
import { openSocket, refusedSocket } from '../../../support/socket-client.ts';
import { echoBytes, type SocketScene, socketScene } from '../../../support/socket-scene.ts';
import { until } from '../../../support/until.ts';

type GateRequest = Parameters<Gate>[0];

const handshake = (path: string, headers: Record<string, string> = {}): string => {
  const all = {
    Host: 'svc',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version': '13',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => (value === '' ? '' : `${name}: ${value}\r\n`));
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
};

/** Waits until the other side reads nothing for many turns of the event loop: its own turn may take one. */
async function untilStalled(ws: WebSocket): Promise<void> {
  let before = -1;
  for (let turns = 0; turns < 50; turns += 1) {
    await pause(2);
    const now = ws.bufferedAmount;
    if (now !== before) turns = 0;
    before = now;
  }
}

describe('a WebSocket', () => {
  let scene: SocketScene;
  const asked: GateRequest[] = [];
  const url = (path: string): string => `${scene.server.url}/invocations${path}`;
  const open = async (options: Parameters<typeof socketScene>[0] = {}): Promise<void> => {
    scene = await socketScene({
      gate: (request) => {
        asked.push(request);
        return request.authorization === 'Bearer refused'
          ? Promise.resolve({
              admitted: false,
              refusal: new ApiError(401, 'unauthorized', { error: 'unauthorized' }),
              headers: { 'Access-Control-Allow-Origin': 'https://a.example' },
            })
          : Promise.resolve({ admitted: true, principal: undefined, headers: {} });
      },
      ...options,
    });
  };
  afterEach(async () => {
    asked.length = 0;
    await scene.server.close();
  });

  describe('before the upgrade', () => {
    beforeEach(() => open());

    it('is rejected by the gate with the same body and headers as any other route', async () => {
      const options = { headers: { Authorization: 'Bearer refused' } };
      const { status, headers, body } = await refusedSocket(url('/echo'), options);
      assert.equal(status, 401);
      assert.equal(body, '{"error":"unauthorized"}');
      assert.equal(headers['access-control-allow-origin'], 'https://a.example');
      assert.match(headers['content-type'] ?? '', /^application\/json/);
      assert.equal(headers.connection, 'close');
    });

    it('passes its key, origin and address to the gate', async () => {
      const options = { headers: { Authorization: 'Bearer k' }, origin: 'https://a.example' };
      (await openSocket(url('/echo'), options)).ws.close();
      assert.equal(asked.length, 1);
      const [{ operation, ...request } = {} as GateRequest] = asked;
      assert.equal(operation.path, '/invocations/echo');
      const expected = { authorization: 'Bearer k', origin: 'https://a.example', address: '127.0.0.1' };
      assert.deepEqual(request, expected);
    });

    it('accepts its key from a subprotocol, and repeats it in the response', async () => {
      const { ws } = await openSocket(url('/echo'), { protocols: ['other', 'svc-token.abc'] });
      assert.equal(ws.protocol, 'svc-token.abc');
      ws.close();
      assert.equal(asked[0]?.authorization, 'Bearer abc');
    });

    it('prefers the key in the header', async () => {
      const options = { protocols: ['svc-token.abc'], headers: { Authorization: 'Bearer k' } };
      (await openSocket(url('/echo'), options)).ws.close();
      assert.equal(asked[0]?.authorization, 'Bearer k');
    });

    it('is not authorized by a subprotocol on an ordinary route', async () => {
      const headers = { 'Sec-WebSocket-Protocol': 'svc-token.abc' };
      assert.equal((await fetch(url('/plain'), { headers })).status, 200);
      assert.equal(asked[0]?.authorization, undefined);
    });

    it('is rejected for an invalid parameter and by its handler', async () => {
      const invalid = await refusedSocket(url('/watch/toolong'));
      assert.equal(invalid.status, 400);
      assert.match(invalid.body, /"error":"invalid_argument","message":"path parameter name: /);
      const unknown = await refusedSocket(url('/watch/none'));
      assert.deepEqual([unknown.status, unknown.body], [404, '{"error":"unknown"}']);
    });

    it('requires an upgrade request, and responds to others with 426', async () => {
      const response = await fetch(url('/echo'));
      assert.equal(response.status, 426);
      assert.equal(response.headers.get('upgrade'), 'websocket');
      const body = (await response.json()) as Record<string, unknown>;
      assert.deepEqual(withoutEnvelope(body), {
        error: 'upgrade_required',
        message:
          '/invocations/echo is a WebSocket: send GET with the headers of a WebSocket handshake, version 13',
      });
      assert.equal(response.headers.get('connection'), 'Upgrade');
      const named = (await (await fetch(url('/watch/a'))).json()) as { message: string };
      assert.match(named.message, /^\/invocations\/watch\/a is a WebSocket: /);
      assert.equal(scene.watched.length, 0);
    });

    it('is checked by the gate before the handshake', async () => {
      const response = await fetch(url('/echo'), { headers: { Authorization: 'Bearer refused' } });
      assert.equal(response.status, 401);
    });

    const malformed: Record<string, [Record<string, string>, RegExp]> = {
      'no key': [{ 'Sec-WebSocket-Key': '' }, /^HTTP\/1\.1 400 [^]*Sec-WebSocket-Key must be 16 bytes/],
      'a short key': [{ 'Sec-WebSocket-Key': 'AAAA' }, /^HTTP\/1\.1 400 [^]*Sec-WebSocket-Key/],
      'no version': [{ 'Sec-WebSocket-Version': '' }, /^HTTP\/1\.1 426 [^]*upgrade_required/],
      'an old version': [{ 'Sec-WebSocket-Version': '8' }, /^HTTP\/1\.1 426 [^]*Sec-WebSocket-Version: 13/i],
      'a repeated subprotocol': [
        { 'Sec-WebSocket-Protocol': 'a, a' },
        /^HTTP\/1\.1 400 [^]*must be a list of different tokens/,
      ],
      'a malformed subprotocol': [
        { 'Sec-WebSocket-Protocol': 'a b' },
        /^HTTP\/1\.1 400 [^]*must be a list of different tokens/,
      ],
      'an empty subprotocol': [{ 'Sec-WebSocket-Protocol': 'a,,b' }, /^HTTP\/1\.1 400 /],
      'a body': [{ 'Content-Length': '3' }, /^HTTP\/1\.1 426 /],
      'a body in chunks': [{ 'Transfer-Encoding': 'chunked' }, /^HTTP\/1\.1 426 /],
      'another protocol': [{ Upgrade: 'h2c' }, /^HTTP\/1\.1 426 /],
    };
    for (const [title, [headers, expected]] of Object.entries(malformed)) {
      it(`is rejected for ${title} without running the handler`, async () => {
        const client = await openRaw(scene.server.url);
        client.send(handshake('/invocations/watch/a', headers));
        await client.receives(expected);
        client.socket.destroy();
        assert.equal(scene.watched.length, 0);
      });
    }

    it('responds to rejected requests with Connection: close', async () => {
      const refusals: [sent: string, status: number, connection: string][] = [
        [handshake('/invocations/watch/a', { 'Sec-WebSocket-Version': '8' }), 426, 'Upgrade, close'],
        [handshake('/invocations/watch/a', { 'Sec-WebSocket-Key': 'AAAA' }), 400, 'close'],
        [handshake('/invocations/watch/a', { Authorization: 'Bearer refused' }), 401, 'close'],
        [handshake('/invocations/watch/none'), 404, 'close'],
        // Without an upgrade, too, if the client wants it so.
        [
          'GET /invocations/watch/a HTTP/1.1\r\nHost: svc\r\nConnection: close\r\n\r\n',
          426,
          'Upgrade, close',
        ],
      ];
      for (const [sent, status, connection] of refusals) {
        const client = await openRaw(scene.server.url);
        client.send(sent);
        const head = (await client.closed).split('\r\n\r\n')[0] ?? '';
        assert.ok(head.startsWith(`HTTP/1.1 ${status} `), head);
        assert.equal(/^connection: (.*)$/im.exec(head)?.[1]?.trim(), connection, head);
      }
    });

    it('is rejected behind a pending request', async () => {
      const client = await openRaw(scene.server.url);
      client.send(`GET /invocations/plain HTTP/1.1\r\nHost: svc\r\n\r\n${handshake('/invocations/echo')}`);
      await client.receives(/^HTTP\/1\.1 200 [^]*"plain":true[^]*HTTP\/1\.1 426 /);
      client.socket.destroy();
    });

    it('opens behind a request that has been answered', async () => {
      const client = await openRaw(scene.server.url);
      client.send('GET /invocations/plain HTTP/1.1\r\nHost: svc\r\n\r\n');
      await client.receives(/"plain":true/);
      client.send(handshake('/invocations/echo'));
      await client.receives(/HTTP\/1\.1 101 Switching Protocols/);
      client.socket.destroy();
    });

    it('is ignored on other routes, whose connection stays open', async () => {
      const client = await openRaw(scene.server.url);
      client.send(handshake('/invocations/plain'));
      await client.receives(/^HTTP\/1\.1 200 [^]*"plain":true/);
      client.send(handshake('/invocations/plain'));
      await client.receives(/"plain":true[^]*HTTP\/1\.1 200 [^]*"plain":true/);
      client.socket.destroy();
    });

    it('leaves no connection open if its client disconnects at once', async () => {
      for (let n = 0; n < 20; n += 1) {
        const client = await openRaw(scene.server.url);
        client.send(handshake('/invocations/watch/a'));
        if (n % 2 === 0) client.socket.resetAndDestroy();
        else client.socket.end();
      }
      let left = 1;
      await until(() => {
        void scene.server.connections().then((count) => (left = count));
        return left === 0;
      });
      for (const { socket } of scene.watched) assert.ok(socket.closed.aborted);
      assert.deepEqual(scene.server.log, []);
    });
  });

  describe('while it is open', () => {
    it('transfers messages in both directions', async () => {
      await open();
      const client = await openSocket(url('/echo'));
      for (const text of ['a', 'ü', '']) client.ws.send(text);
      const expected = ['{"n":0,"text":"a"}', '{"n":1,"text":"ü"}', '{"n":2,"text":""}'];
      assert.deepEqual(await client.receives(3), expected);
      client.ws.close();
      assert.equal((await client.closed).code, 1005);
    });

    it('transfers messages that arrive with the handshake', async () => {
      await open();
      const client = await openRaw(scene.server.url);
      // A masked text frame with "hi"; the mask is zero.
      const frame = Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69]);
      client.send(Buffer.concat([Buffer.from(handshake('/invocations/echo')), frame]));
      await client.receives(/101 [^]*"text":"hi"/);
      client.socket.destroy();
    });

    it('accepts messages up to the maximum size, and closes with 1009 beyond it', async () => {
      await open();
      const client = await openSocket(url('/echo'));
      client.ws.send('a'.repeat(echoBytes));
      await client.receives(1);
      client.ws.send('a'.repeat(echoBytes + 1));
      assert.equal((await client.closed).code, 1009);
    });

    it('closes with 1003 for a binary message', async () => {
      await open();
      const client = await openSocket(url('/echo'));
      client.ws.send(Buffer.from('a'));
      assert.deepEqual(await client.closed, { code: 1003, reason: 'send text messages' });
    });

    it('closes when it receives a message that it does not accept', async () => {
      await open();
      const small = await openSocket(url('/watch/a'));
      small.ws.send('a'.repeat(4_096));
      assert.deepEqual(await small.closed, { code: 1008, reason: 'this socket takes no messages' });
      const large = await openSocket(url('/watch/a'));
      large.ws.send('a'.repeat(4_097));
      assert.equal((await large.closed).code, 1009);
      await until(() => scene.watched.every(({ socket }) => socket.closed.aborted));
    });

    it('closes with 1002 for data that is not a frame', async () => {
      await open();
      const client = await openRaw(scene.server.url);
      client.send(`${handshake('/invocations/echo')}GET / HTTP/1.1\r\n\r\n`);
      assert.match(await client.closed, /101 [^]*\x88.\x03\xea/);
    });

    itSlow('applies backpressure to a client that sends faster than the handler consumes', async () => {
      await open();
      const client = await openSocket(url('/echo'));
      client.ws.pause();
      // Without back pressure, all would be read and wait in the memory of the service.
      const text = 'a'.repeat(echoBytes);
      for (let n = 0; n < 500; n += 1) client.ws.send(text);
      await untilStalled(client.ws);
      assert.ok(client.ws.bufferedAmount > 10_000_000, String(client.ws.bufferedAmount));
      client.ws.resume();
      await client.receives(500);
      client.ws.close();
    });

    it('is terminated if its client keeps sending after the close', async () => {
      await open();
      const client = await openSocket(url('/watch/a'));
      await until(() => scene.watched.length === 1);
      // It takes no messages: the first one closes it, and the client does not take part in the closing.
      client.ws.pause();
      for (let n = 0; n < 2_000; n += 1) client.ws.send('a'.repeat(1_000));
      const { socket } = scene.watched[0]!;
      await until(() => socket.closed.aborted);
      const closed = once(client.ws, 'close');
      while ((await scene.server.connections()) > 0) await new Promise((resolve) => setImmediate(resolve));
      client.ws.resume();
      await closed;
    });

    it('is terminated if its client sends more than a thousand pongs or pings between two pings', async () => {
      await open();
      const patient = await openSocket(url('/echo'));
      for (let n = 0; n < 1_000; n += 1) patient.ws.pong();
      patient.ws.send('a');
      assert.equal((await patient.receives(1)).length, 1);
      patient.ws.pong();
      assert.equal((await patient.closed).code, 1006);
      const pinging = await openSocket(url('/echo'));
      for (let n = 0; n < 1_001; n += 1) pinging.ws.ping();
      assert.equal((await pinging.closed).code, 1006);
    });

    it('blocks sends while its client reads nothing', async () => {
      await open();
      const client = await openSocket(url('/watch/a'));
      await until(() => scene.watched.length === 1);
      const { socket, end } = scene.watched[0]!;
      assert.equal(await socket.send({ n: 1 }), true);
      client.ws.pause();
      const text = 'a'.repeat(1_000_000);
      for (let n = 0; n < 20; n += 1) void socket.send({ n: 2, text });
      const last = socket.send({ n: 3 });
      for (let turns = 0; turns < 20; turns += 1) await nextTurn();
      assert.equal(await Promise.race([last, Promise.resolve('waits')]), 'waits');
      client.ws.resume();
      assert.equal(await last, true);
      end();
      assert.deepEqual(await client.closed, { code: 1000, reason: '' });
      assert.equal(await socket.send({ n: 4 }), false);
      assert.equal(client.received.at(-1), '{"n":3}');
    });

    it('notifies its handler when the client disconnects', async () => {
      await open();
      const client = await openSocket(url('/watch/a'));
      await until(() => scene.watched.length === 1);
      const { socket, signal } = scene.watched[0]!;
      const aborted = once(signal, 'abort');
      client.ws.terminate();
      await aborted;
      assert.ok(socket.closed.aborted);
      assert.equal(await socket.send({ n: 1 }), false);
    });

    it('closes with 1011 if its handler fails, and logs the error', async () => {
      await open();
      const client = await openSocket(url('/watch/a'));
      await until(() => scene.watched.length === 1);
      scene.watched[0]!.fail(new Error('broken'));
      assert.deepEqual(await client.closed, { code: 1011, reason: 'internal error' });
      await until(() => scene.server.log.length === 1);
      assert.match(scene.server.log[0]!, /"operation":"watch".*broken|broken.*"operation":"watch"/);
    });

    it('validates its messages against the operation', async () => {
      await open();
      const client = await openSocket(url('/watch/a'));
      await until(() => scene.watched.length === 1);
      const { socket, fail } = scene.watched[0]!;
      assert.throws(
        () => void socket.send({ n: 1, other: 2 } as never),
        /the answer differs from operation watch: status 101: frame: .*other/,
      );
      fail(new Error('x'));
      await client.closed;
    });

    it('closes when its key is no longer valid', async () => {
      const checked: unknown[] = [];
      let answer = (): Promise<boolean> => Promise.resolve(true);
      await open({
        connections: { keyCheckMs: 20 },
        recheck: (caller) => {
          checked.push(caller);
          return answer();
        },
      });
      const client = await openSocket(url('/watch/a'), { protocols: ['svc-token.abc'] });
      await until(() => checked.length >= 3);
      assert.deepEqual(checked[0], { authorization: 'Bearer abc', address: '127.0.0.1' });
      answer = () => Promise.reject(new Error('no database'));
      const before = checked.length;
      await until(() => checked.length >= before + 3);
      assert.equal(client.ws.readyState, WebSocket.OPEN);
      answer = () => Promise.resolve(false);
      assert.deepEqual(await client.closed, { code: 1008, reason: 'the key is no longer valid' });
    });

    itSlow('may be idle for longer than other connections', async () => {
      // The handshake has to arrive in time, on a busy machine too.
      await open({ connections: { unreadMs: 1_000, idleMs: 1_000, headMs: 1_000 } });
      const client = await openSocket(url('/watch/a'));
      await until(() => scene.watched.length === 1);
      // Node looks for late heads once a second, and adds a second to the time that connections may be idle.
      await pause(3_000);
      assert.ok(await scene.watched[0]!.socket.send({ n: 1 }));
      await client.receives(1);
      client.ws.close();
    });

    describe('that is pinged', () => {
      const pingMs = 250;
      /** Lets the interval of the pings pass. By the clock, a moment in which this process stands still would take the time to answer. */
      const ping = (): void => mock.timers.tick(pingMs);
      beforeEach(async () => {
        mock.timers.enable({ apis: ['setInterval'] });
        await open({ pingMs });
      });
      afterEach(() => mock.timers.reset());

      it('ends soon after its client disconnects, even if its messages are not consumed', async () => {
        const client = await openSocket(url('/deaf'));
        // More than all buffers take, so that nothing is read any more.
        const text = 'x'.repeat(echoBytes - 100);
        for (let n = 0; n < 500; n += 1) client.ws.send(JSON.stringify({ n, text }));
        await untilStalled(client.ws);
        for (let pings = 0; pings < 3; pings += 1) ping();
        await untilStalled(client.ws);
        assert.equal(scene.left(), 0);
        client.ws.terminate();
        await client.closed;
        // The client's system refuses the first one during the pause, and the second cannot be sent.
        for (let pings = 1; scene.left() === 0; pings += 1) {
          assert.ok(pings <= 5, 'it does not end');
          ping();
          await pause(50);
        }
      });

      it('ends if the client does not respond', async () => {
        const [live, dead] = [
          await openSocket(url('/echo')),
          await openSocket(url('/watch/a'), { autoPong: false }),
        ];
        let pings = 0;
        live.ws.on('ping', () => (pings += 1));
        for (let sent = 1; sent <= 5; sent += 1) {
          ping();
          await until(() => pings === sent);
          // The answer to the ping has arrived before this.
          live.ws.send('a');
          await live.receives(sent);
        }
        assert.equal((await dead.closed).code, 1006);
        assert.equal(live.ws.readyState, WebSocket.OPEN);
        live.ws.close();
      });
    });
  });

  describe('at shutdown', () => {
    it('closes at once or at the end of the grace period', async () => {
      for (const onShutdown of ['close', 'finish'] as const) {
        await open({ onShutdown });
        const client = await openSocket(url('/watch/a'));
        await until(() => scene.watched.length === 1);
        scene.server.sockets.drain();
        if (onShutdown === 'finish') {
          await scene.watched[0]!.socket.send({ n: 1 });
          await client.receives(1);
          scene.server.sockets.close();
        }
        assert.deepEqual(await client.closed, { code: 1001, reason: 'the service is shutting down' });
        if (onShutdown === 'close') await scene.server.close();
      }
    });

    itSlow('does not delay the exit, even if its client never responds', async () => {
      await open();
      const client = await openRaw(scene.server.url);
      client.send(handshake('/invocations/watch/a'));
      await client.receives(/101 Switching/);
      const { httpServer, sockets } = scene.server;
      await closeServer(httpServer, { sockets, graceMs: 10, endWaits: () => undefined });
      assert.ok(scene.watched[0]?.socket.closed.aborted);
      await client.closed;
    });
  });
});
