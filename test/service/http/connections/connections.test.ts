import assert from 'node:assert/strict';
import { type ConnectionScene, connectionScene, postHead } from '../../../support/connection-scene.ts';
import { openRaw, type RawConnection } from '../../../support/raw-connection.ts';
import { until } from '../../../support/until.ts';

const echo = (n: number): string => `${postHead('/echo', 7)}{"n":${n}}`;
const hold = 'GET /hold HTTP/1.1\r\nHost: svc\r\n\r\n';

async function answers(open: RawConnection, n = 1): Promise<void> {
  open.send(echo(n));
  await open.receives(new RegExp(`200 OK[^]*"n":${n}`));
}

describe('the number of connections', () => {
  let scene: ConnectionScene;
  afterEach(() => scene.close());

  it('is limited per address, and a further one closes the oldest', async () => {
    await open({ perAddress: 2 });
    const first = await openRaw(scene.url);
    const second = await openRaw(scene.url);
    await answers(first);
    await answers(second);
    await answers(first, 2);
    const third = await openRaw(scene.url);
    await first.closed;
    await answers(third);
    await answers(second, 2);
  });

  it('does not include connections of other addresses', async () => {
    await open({ perAddress: 1 });
    const first = await openRaw(scene.url, '127.0.0.1');
    const other = await openRaw(scene.url, '127.0.0.2');
    await answers(other);
    await answers(first);
  });

  it('is limited across all addresses', async () => {
    await open({ total: 2 });
    const first = await openRaw(scene.url, '127.0.0.1');
    const second = await openRaw(scene.url, '127.0.0.2');
    await answers(first);
    await answers(second);
    const third = await openRaw(scene.url, '127.0.0.3');
    await first.closed;
    await answers(third);
    await answers(second, 2);
  });

  it('does not include closed connections', async () => {
    await open({ total: 1, perAddress: 1 });
    for (let n = 0; n < 20; n += 1) {
      const client = await openRaw(scene.url);
      await answers(client);
      client.socket.destroy();
      await client.closed;
    }
    const last = await openRaw(scene.url);
    await answers(last);
  });

  async function open(counts: { total?: number; perAddress?: number }): Promise<void> {
    scene = await connectionScene(counts);
  }
});

describe('pipelined requests', () => {
  let scene: ConnectionScene;
  beforeEach(async () => {
    scene = await connectionScene({ pipelined: 3 });
  });
  afterEach(() => scene.close());

  it('are answered in order up to the limit', async () => {
    const client = await openRaw(scene.url);
    client.send(hold.repeat(3));
    await until(() => scene.held() === 3);
    scene.release();
    const text = await client.receives(/"n":3/);
    assert.deepEqual(
      [...text.matchAll(/"n":(\d)/g)].map(([, n]) => n),
      ['1', '2', '3'],
    );
  });

  it('close the connection beyond the limit', async () => {
    const client = await openRaw(scene.url);
    client.send(hold.repeat(4));
    assert.equal(await client.closed, '');
    assert.equal(scene.held(), 3);
  });

  it('are neither parsed nor served beyond the limit', async () => {
    const client = await openRaw(scene.url);
    client.send(hold.repeat(3));
    await until(() => scene.held() === 3);
    client.send(hold.repeat(10_000));
    await client.closed;
    assert.equal(scene.held(), 3);
  });

  it('count with bodies and Expect headers as well', async () => {
    for (const headers of ['', 'Expect: 100-continue\r\n', 'Expect: a-miracle\r\n']) {
      const client = await openRaw(scene.url);
      client.send(hold + `${postHead('/echo', 7, headers)}{"n":1}`.repeat(10));
      assert.doesNotMatch(await client.closed, /200 OK/, headers);
    }
  });

  it('are not limited if each waits for the previous response', async () => {
    const client = await openRaw(scene.url);
    for (let n = 1; n <= 9; n += 1) await answers(client, n);
  });
});
