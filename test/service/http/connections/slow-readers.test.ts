import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type ConnectionScene,
  connectionScene,
  largeBytes,
  postHead,
} from '../../../support/connection-scene.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { openRaw } from '../../../support/raw-connection.ts';
import { until } from '../../../support/until.ts';

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: svc\r\n\r\n`;

describe('a response', () => {
  let scene: ConnectionScene;
  const limitMs = 300;
  const open = async (unreadMs = limitMs): Promise<void> => {
    scene = await connectionScene({ unreadMs, idleMs: 60_000 });
  };
  afterEach(() => scene.close());

  itSlow('that the client does not read closes the connection', async () => {
    await open();
    const client = await openRaw(scene.url);
    client.send(get('/large'));
    await once(client.socket, 'data');
    client.socket.pause();
    await pause(4 * limitMs);
    client.socket.resume();
    assert.ok((await client.closed).length < largeBytes);
  });

  itSlow('that the client reads slowly is sent completely', async () => {
    // All pauses together exceed it, and a pause stays within it, even if the machine stands still for seconds meanwhile.
    const longLimitMs = 4_000;
    const pauseMs = 520;
    await open(longLimitMs);
    const client = await openRaw(scene.url);
    client.send(get('/large'));
    let pauses = 0;
    client.socket.on('data', () => {
      if (client.received().length < (pauses + 1) * 8_000_000) return;
      pauses += 1;
      client.socket.pause();
      setTimeout(() => client.socket.resume(), pauseMs);
    });
    await until(() => client.received().length > largeBytes);
    assert.ok(pauses * pauseMs > longLimitMs, `${pauses} pauses`);
  });

  itSlow('keeps the connection open while it is being produced', async () => {
    await open();
    const client = await openRaw(scene.url);
    client.send(get('/hold'));
    await until(() => scene.held() === 1);
    await pause(4 * limitMs);
    scene.release();
    await client.receives(/200 OK[^]*"n":1/);
  });

  itSlow('that is produced slowly and then not read closes the connection', async () => {
    await open();
    const client = await openRaw(scene.url);
    client.send(get('/hold') + get('/large'));
    await until(() => scene.held() === 1);
    await pause(2 * limitMs);
    scene.release();
    await client.receives(/"n":1\}[^]*200 OK/);
    client.socket.pause();
    await pause(4 * limitMs);
    client.socket.resume();
    assert.ok((await client.closed).length < largeBytes);
  });
});

describe('a connection between two requests', () => {
  itSlow('is closed after the idle timeout', async () => {
    const scene = await connectionScene({ idleMs: 200 });
    const client = await openRaw(scene.url);
    client.send(`${postHead('/echo', 7)}{"n":1}`);
    assert.match(await client.closed, /200 OK[^]*"n":1\}$/);
    await scene.close();
  });

  it('serves a request that arrives within the idle timeout', async () => {
    const scene = await connectionScene({ idleMs: 60_000 });
    const client = await openRaw(scene.url);
    for (const n of [1, 2]) {
      client.send(`${postHead('/echo', 7)}{"n":${n}}`);
      await client.receives(new RegExp(`"n":${n}`));
    }
    client.socket.destroy();
    await scene.close();
  });
});
