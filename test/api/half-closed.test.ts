import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { endOf } from '../support/execution-records.ts';
import { openRaw } from '../support/raw-connection.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { publishStreams, type StreamPackage } from '../support/stream-package.ts';
import { until } from '../support/until.ts';

describe('a client that closes its sending half after a request', () => {
  let service: RunningService;
  let acme: Caller;
  let streams: StreamPackage;
  before(async () => {
    service = await startService();
    acme = await service.tenant('acme');
    streams = await publishStreams(acme, 'acme');
  });
  after(async () => {
    await service.stop();
    await streams.server.stop(0);
  });

  const head = (line: string): string =>
    `${line} HTTP/1.1\r\nHost: svc\r\nAuthorization: Bearer ${acme.key}\r\n`;

  it('gets what the service knows by itself', async () => {
    const client = await openRaw(service.url);
    client.socket.end(`${head('GET /api/v1/packages')}\r\n`);
    assert.match(await client.closed, /^HTTP\/1\.1 200 OK\r\n[^]*"name":"acme\/streams"/);
  });

  it('cancels the call of a node, and gets that answer', async () => {
    let signal: AbortSignal | undefined;
    streams.once.handler = async (_, context) => {
      ({ signal } = context);
      await pause(30_000, undefined, { signal });
    };
    const client = await openRaw(service.url);
    client.send(`${head('POST /invocations/v1/nodes/acme/streams/1.0.0/Once')}Content-Length: 2\r\n\r\n{}`);
    await until(() => signal !== undefined);
    client.socket.end();
    const answer = await client.closed;
    assert.match(answer, /^HTTP\/1\.1 502 [^]*"error_message":"calling node: the call was cancelled"/);
    assert.equal(signal?.aborted, true);
    const [, id = ''] = /^X-Execution-Id: (\w+)/im.exec(answer) ?? [];
    assert.equal((await endOf(acme, id)).status, 'CANCELLED');
  });
});
