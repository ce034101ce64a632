import assert from 'node:assert/strict';
import { once } from 'node:events';
import { ServerResponse, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { ApiError } from '../../../service/errors/api-error.ts';
import {
  bodiesOverloaded,
  responsesOverloaded,
  tooManyLargeBodies,
  tooManyUnreadResponses,
} from '../../../service/errors/memory-errors.ts';
import { HeldAnswers } from '../../../service/http/answer/held-answers.ts';
import { HeldMemory, type MemoryBounds, uncountedBytes } from '../../../service/http/held-memory.ts';
import {
  type ConnectionScene,
  connectionScene,
  largeBytes,
  postHead,
} from '../../support/connection-scene.ts';
import { openRaw, type RawConnection } from '../../support/raw-connection.ts';
import { openSocket } from '../../support/socket-client.ts';
import { echoBytes, socketScene } from '../../support/socket-scene.ts';
import { until } from '../../support/until.ts';

const mib = 1_048_576;
const acme = { name: 'tenant acme', hasKey: true };
const other = { name: 'tenant other', hasKey: true };
const stranger = { name: 'address 192.0.2.1', hasKey: false };

const refusal = (code: string) => (error: unknown) => error instanceof ApiError && error.code === code;

describe('the memory of bodies', () => {
  const open = (bounds: MemoryBounds): HeldMemory =>
    new HeldMemory({ ...bounds, callerRefusal: tooManyLargeBodies, totalRefusal: bodiesOverloaded });

  it('is limited per caller until it is released', () => {
    const memory = open({ perCaller: 3 * mib, total: 100 * mib });
    const first = memory.share(acme);
    first.growTo(2 * mib);
    const second = memory.share(acme);
    assert.throws(() => second.growTo(2 * mib), refusal('too_many_large_bodies'));
    memory.share(other).growTo(2 * mib);
    first.release();
    first.release();
    second.growTo(3 * mib);
  });

  it('is limited across all callers, and callers without a key may use half of it', () => {
    const memory = open({ perCaller: 3 * mib, total: 4 * mib });
    memory.share(other).growTo(mib);
    assert.throws(() => memory.share(stranger).growTo(2 * mib), refusal('memory_overloaded'));
    const first = memory.share(acme);
    first.growTo(2 * mib);
    assert.throws(() => memory.share(other).growTo(2 * mib), refusal('memory_overloaded'));
  });

  it('always suffices for a single body and for small ones', () => {
    const memory = open({ perCaller: mib, total: mib });
    memory.share(stranger).growTo(16 * mib);
    memory.share(stranger).growTo(uncountedBytes);
  });
});

describe('unread responses', () => {
  const responseOf = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));
  const open = (bounds: MemoryBounds): HeldAnswers =>
    new HeldAnswers(
      new HeldMemory({
        ...bounds,
        callerRefusal: tooManyUnreadResponses,
        totalRefusal: responsesOverloaded,
      }),
    );
  const answer = (body: string | Uint8Array) => ({ status: 200, headers: {}, body });

  it('count until they are closed', () => {
    const answers = open({ perCaller: 3 * mib, total: 10 * mib });
    const hold = (response = responseOf()) => answers.hold(answer(Buffer.alloc(2 * mib)), response, acme);
    const first = responseOf();
    hold(first);
    assert.throws(() => hold(), refusal('too_many_unread_responses'));
    first.emit('close');
    hold();
  });

  it('are moved off the heap if they are large texts', () => {
    const answers = open({ perCaller: 3 * mib, total: 10 * mib });
    const { body } = answers.hold(answer('ä'.repeat(mib)), responseOf(), acme);
    assert.ok(Buffer.isBuffer(body) && body.length === 2 * mib);
    assert.equal(answers.hold(answer('ä'), responseOf(), acme).body, 'ä');
  });

  it('count once if they share their bytes', () => {
    const answers = open({ perCaller: 3 * mib, total: 10 * mib });
    const document = answer(Buffer.alloc(2 * mib));
    for (let n = 0; n < 5; n += 1) answers.hold(document, responseOf(), acme);
  });
});

describe('a server with limited memory for bodies and responses', () => {
  let scene: ConnectionScene;
  const clients: RawConnection[] = [];
  afterEach(async () => {
    for (const { socket } of clients.splice(0)) socket.destroy();
    await scene.close();
  });

  const send = async (text: string): Promise<RawConnection> => {
    const client = await openRaw(scene.url);
    clients.push(client);
    client.send(text);
    return client;
  };

  it('rejects a large response while the client does not read earlier ones', async () => {
    const enoughForTwo = 2 * largeBytes + mib;
    scene = await connectionScene({ unreadResponses: { perCaller: enoughForTwo, total: 10 * enoughForTwo } });
    const get = 'GET /large HTTP/1.1\r\nHost: svc\r\n\r\n';
    for (let n = 0; n < 2; n += 1) {
      const { socket } = await send(get);
      await once(socket, 'data');
      socket.pause();
    }
    const refused = await send(get);
    await refused.receives(/^HTTP\/1.1 429 [^]*Retry-After: 1\r\n[^]*too_many_unread_responses/);
    clients[0]?.socket.destroy();
    let answered = '';
    while (!answered.startsWith('HTTP/1.1 200')) {
      const next = await send(get);
      answered = await next.receives(/^HTTP\/1.1 \d+/);
      next.socket.destroy();
    }
  });

  it('rejects a large body while earlier ones are incomplete', async () => {
    scene = await connectionScene({ arrivingBodies: { perCaller: 250_000, total: 10_000_000 } });
    const body = `{"text":"${'a'.repeat(89_989)}"}`;
    const start = postHead('/echo', body.length) + body.slice(0, -1);
    const [first] = [await send(start), await send(start)];
    const refused = await send(start);
    await refused.receives(/^HTTP\/1.1 429 [^]*Retry-After: 1\r\n[^]*too_many_large_bodies/);
    first.send('}');
    await first.receives(/^HTTP\/1.1 200 [^]*aaa"\}$/);
    const next = await send(start);
    next.send('}');
    await next.receives(/^HTTP\/1.1 200 [^]*aaa"\}$/);
  });

  it('counts a body until its response is sent', async () => {
    scene = await connectionScene({ arrivingBodies: { perCaller: 250_000, total: 10_000_000 } });
    const body = `{"text":"${'a'.repeat(89_989)}"}`;
    const whole = postHead('/hold-body', body.length) + body;
    for (let n = 1; n <= 2; n += 1) {
      await send(whole);
      await until(() => scene.held() === n);
    }
    const refused = await send(whole);
    await refused.receives(/^HTTP\/1.1 429 [^]*too_many_large_bodies/);
    scene.release();
    await clients[0]!.receives(/^HTTP\/1.1 200 /);
    const next = await send(whole);
    await next.receives(/^HTTP\/1.1 200 /);
  });

  it('accepts a single body of any size', async () => {
    scene = await connectionScene({ arrivingBodies: { perCaller: 1, total: 1 } });
    const body = `{"text":"${'a'.repeat(89_989)}"}`;
    const client = await send(postHead('/echo', body.length) + body);
    await client.receives(/^HTTP\/1.1 200 /);
  });
});

describe('WebSocket messages held in memory', () => {
  it('close the socket with the reason beyond the limit, and count until they are consumed', async () => {
    const { server } = await socketScene({
      connections: { arrivingBodies: { perCaller: 2 * echoBytes, total: 20 * echoBytes } },
    });
    try {
      const text = 'a'.repeat(echoBytes);
      /** A socket whose message is never consumed. */
      const openDeaf = async () => {
        const client = await openSocket(`${server.url}/invocations/deaf`);
        client.ws.send(text);
        return client;
      };
      // There is room for two at most, whichever come first.
      const deaf = [await openDeaf(), await openDeaf(), await openDeaf()];
      assert.deepEqual(await Promise.race(deaf.map(({ closed }) => closed)), {
        code: 1013,
        reason: 'this caller is sending too many large bodies at once: send fewer of them at the same time',
      });
      server.sockets.close();
      while ((await server.connections()) > 0) await new Promise((resolve) => setImmediate(resolve));
      const echo = await openSocket(`${server.url}/invocations/echo`);
      for (let n = 0; n < 10; n += 1) echo.ws.send(text);
      assert.equal((await echo.receives(10)).length, 10);
      echo.ws.close();
    } finally {
      await server.close();
    }
  });

  it('count before they are complete', async () => {
    const { server } = await socketScene({
      connections: { arrivingBodies: { perCaller: echoBytes, total: 20 * echoBytes } },
    });
    const starts: RawConnection[] = [];
    try {
      for (let n = 0; n < 2; n += 1) {
        const client = await openRaw(server.url);
        starts.push(client);
        client.send(
          'GET /invocations/echo HTTP/1.1\r\nHost: svc\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
            'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
        );
        await client.receives(/^HTTP\/1.1 101 [^]*\r\n\r\n/);
        // A text frame with a mask of zeros, which lacks its last byte.
        const head = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 1, 0x86, 0xa0, 0, 0, 0, 0]);
        client.socket.write(Buffer.concat([head, Buffer.alloc(echoBytes - 1, 'a')]));
      }
      // The code of a frame that closes the socket.
      const [first, second] = starts;
      await second!.receives(/\u0003\u00f5|too many large bodies/);
      first!.socket.write('a');
      await first!.receives(/"n":0/);
    } finally {
      for (const { socket } of starts) socket.destroy();
      await server.close();
    }
  });
});
