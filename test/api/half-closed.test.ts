import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { endOf } from '../support/execution-records.ts';
import { startFlowService } from '../support/flow-service.ts';
import { openRaw } from '../support/raw-connection.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { publishStreams, type StreamPackage } from '../support/stream-package.ts';
import { twoSteps } from '../support/step-package.ts';
import { until } from '../support/until.ts';

describe('a client that half-closes the connection after a request', () => {
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

  it('receives the response of a read', async () => {
    const client = await openRaw(service.url);
    client.socket.end(`${head('GET /api/v1/packages')}\r\n`);
    assert.match(await client.closed, /^HTTP\/1\.1 200 OK\r\n[^]*"name":"acme\/streams"/);
  });

  it('cancels a node call and receives that error', async () => {
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

  it('stops waiting for a run, which continues', async () => {
    const flows = await startFlowService();
    try {
      let called = false;
      flows.behaviours.set('a', () => {
        called = true;
        return undefined;
      });
      const body = JSON.stringify({ graph_id: await flows.compile(twoSteps()), input: {}, wait: true });
      const client = await openRaw(flows.service.url);
      client.send(
        'POST /invocations/v1/flows/invoke HTTP/1.1\r\nHost: svc\r\n' +
          `Authorization: Bearer ${flows.acme.key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      await until(() => called);
      client.socket.end();
      const [head = '', text = ''] = (await client.closed).split('\r\n\r\n');
      assert.match(head, /^HTTP\/1\.1 202 /);
      const { execution_id: id, execution_status } = JSON.parse(text) as Record<string, string>;
      assert.equal(execution_status, 'RUNNING');
      assert.equal((await flows.acme.get(`/invocations/v1/executions/${id}`)).body.status, 'RUNNING');
      assert.equal((await flows.acme.post(`/invocations/v1/executions/${id}/cancel`)).status, 200);
    } finally {
      await flows.stop();
    }
  });
});
