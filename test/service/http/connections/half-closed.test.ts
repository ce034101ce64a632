import assert from 'node:assert/strict';
import { once } from 'node:events';
import { z } from 'zod';
import { bind } from '../../../../service/http/bind.ts';
import { defineOperation } from '../../../../specs/operations/operation.ts';
import { openRaw } from '../../../support/raw-connection.ts';
import { type RouteServer, serveRoutes } from '../../../support/route-server.ts';
import { until } from '../../../support/until.ts';

const common = { family: 'management', caller: 'public', summary: 'Test', method: 'get' } as const;
const numbered = z.object({ n: z.int() });

const leave = defineOperation({
  ...common,
  id: 'leave',
  path: '/leave',
  responses: { 200: { description: 'The number of the request.', shape: numbered } },
});

const follow = defineOperation({
  ...common,
  id: 'follow',
  path: '/follow',
  responses: { 200: { description: 'Frames.', events: numbered } },
});

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: svc\r\n\r\n`;

describe('a client that half-closes the connection after its requests', () => {
  let service: RouteServer;
  let requests: number;
  let stopped: number;
  before(async () => {
    service = await serveRoutes([
      bind(leave).to(async ({ signal }) => {
        const n = (requests += 1);
        // Answers only once the service has noticed.
        if (!signal.aborted) await once(signal, 'abort');
        return { status: 200, body: { n } };
      }),
      bind(follow).to(({ signal }) => ({ status: 200, kind: 'events', body: frames(signal), atOnce: true })),
    ]);
  });
  beforeEach(() => {
    requests = 0;
    stopped = 0;
  });
  afterEach(async () => {
    let left = 1;
    await until(() => {
      void service.connections().then((count) => (left = count));
      return left === 0;
    });
  });
  after(() => service.close());

  async function* frames(signal: AbortSignal) {
    try {
      yield { n: 1 };
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      stopped += 1;
    }
  }

  it('receives the response with Connection: close', async () => {
    const client = await openRaw(service.url);
    client.socket.end(get('/leave'));
    assert.match(await client.closed, /^HTTP\/1\.1 200 OK\r\n[^]*Connection: close\r\n[^]*\{"n":1\}$/);
  });

  it('receives the responses to all of its requests', async () => {
    const client = await openRaw(service.url);
    client.socket.end(get('/leave').repeat(3));
    const text = await client.closed;
    assert.deepEqual(text.match(/\{"n":\d\}/g), ['{"n":1}', '{"n":2}', '{"n":3}']);
    assert.deepEqual(text.match(/^Connection: .*(?=\r)/gm), [
      'Connection: keep-alive',
      'Connection: keep-alive',
      'Connection: close',
    ]);
  });

  it('ends a stream, which does not look complete', async () => {
    const client = await openRaw(service.url);
    client.send(get('/follow'));
    await client.receives(/data: \{"n":1\}/);
    client.socket.end();
    assert.doesNotMatch(await client.closed, /\r\n0\r\n\r\n$/);
    assert.equal(stopped, 1);
  });
});
