import assert from 'node:assert/strict';
import { openLiveByUlid } from '../../../../specs/operations/live.ts';
import { bind } from '../../../../service/http/bind.ts';
import { presentSessionReady } from '../../../../service/http/present/session-ready.ts';
import { serveSession } from '../../../../service/http/routes/serve-session.ts';
import type { OutputFrame } from '../../../../service/nodes/call/direct-output.ts';
import { type RouteServer, serveRoutes } from '../../../support/route-server.ts';
import { openSocket } from '../../../support/socket-client.ts';
import { until } from '../../../support/until.ts';

const executionId = '0'.repeat(32);

describe('a live session', () => {
  let server: RouteServer;
  let ends: string[];
  let made: number;
  let keyIsValid: boolean;
  /** By default longer than a busy machine leaves a client without the processor. */
  let stallMs: number;
  beforeEach(async () => {
    ends = [];
    made = 0;
    keyIsValid = true;
    stallMs = 30_000;
    const session = {
      executionId,
      frames: endless(),
      feed: () => undefined,
      end: (how: string) => {
        ends.push(how);
        return Promise.resolve();
      },
    };
    const route = bind(openLiveByUlid).to(() => ({
      status: 101,
      kind: 'socket',
      onShutdown: 'finish',
      serve: (socket) => {
        const ready = presentSessionReady(executionId, { now: 0, stallMs });
        return serveSession(session, { socket, ready, stallMs });
      },
    }));
    server = await serveRoutes([route], {
      connections: { keyCheckMs: 20 },
      recheck: () => Promise.resolve(keyIsValid),
    });
  });
  afterEach(() => server.close());

  async function* endless(): AsyncGenerator<OutputFrame, void, undefined> {
    const json = JSON.stringify({ text: 'x'.repeat(1_000_000) });
    for (;;) {
      made += 1;
      yield await Promise.resolve({ kind: 'frame', json });
    }
  }

  it('closes with 1013 and the reason if the client does not read', async () => {
    stallMs = 100;
    const socket = await openSocket(`${server.url}/invocations/v1/nodes/x/live`);
    socket.ws.pause();
    await until(() => ends.length > 0);
    assert.equal(ends[0], 'slow_consumer');
    const held = made;
    socket.ws.resume();
    const { code, reason } = await socket.closed;
    assert.deepEqual([code, reason], [1013, 'slow consumer: a message was not read within 100 ms']);
    // The frames that were sent before arrive; no further one is made.
    assert.deepEqual([socket.received.length <= held + 1, made], [true, held]);
  });

  it('ends with service_stopped when the service stops', async () => {
    await openSocket(`${server.url}/invocations/v1/nodes/x/live`);
    server.sockets.close();
    await until(() => ends.length > 0);
    assert.equal(ends[0], 'service_stopped');
  });

  it('ends with key_invalid when the key is revoked', async () => {
    const socket = await openSocket(`${server.url}/invocations/v1/nodes/x/live`, {
      protocols: ['svc-token.abc'],
    });
    await socket.receives(1);
    keyIsValid = false;
    await until(() => ends.length > 0);
    assert.equal(ends[0], 'key_invalid');
    assert.equal((await socket.closed).code, 1008);
  });

  it('fails if the client sends a binary message', async () => {
    const socket = await openSocket(`${server.url}/invocations/v1/nodes/x/live`);
    await socket.receives(1);
    socket.ws.send(Buffer.of(1));
    await until(() => ends.length > 0);
    assert.equal(ends[0], 'failed');
    assert.equal((await socket.closed).code, 1003);
  });

  it('ends with client_left when the client disconnects', async () => {
    const leaving = await openSocket(`${server.url}/invocations/v1/nodes/x/live`);
    await leaving.receives(1);
    leaving.ws.terminate();
    await until(() => ends.length > 0);
    assert.equal(ends[0], 'client_left');
  });
});
