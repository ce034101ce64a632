import assert from 'node:assert/strict';
import { status } from '@grpc/grpc-js';
import { startFlowService } from '../support/flow-service.ts';
import { openRaw } from '../support/raw-connection.ts';
import { request, type RunningService, startService } from '../support/running-service.ts';
import { twoSteps } from '../support/step-package.ts';

describe('the metrics', () => {
  let service: RunningService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  it('are served on their own listener, without a key', async () => {
    await request(`${service.url}/healthz`);
    assert.notEqual(new URL(service.app.metricsUrl).origin, service.url);
    const metrics = await request(service.app.metricsUrl);
    assert.equal(metrics.status, 200);
    assert.equal(metrics.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    assert.match(
      metrics.body,
      /svc_http_request_duration_seconds_count\{operation="healthz",status="200"\} 1/,
    );
    const head = await request(service.app.metricsUrl, { method: 'HEAD' });
    assert.deepEqual([head.status, head.body], [200, '']);
  });

  it('count runs by their final status', async () => {
    const flows = await startFlowService();
    try {
      const graph = await flows.compile(twoSteps());
      await flows.invoke(graph, { input: { text: 'a' } });
      flows.behaviours.set('a', (_, answer) => {
        answer.fail(status.INTERNAL, 'no');
        return undefined;
      });
      await flows.invoke(graph, { input: { text: 'b' } });
      const { body } = await request(flows.service.app.metricsUrl);
      assert.match(body, /svc_runs_total\{status="COMPLETED"\} 1\n/);
      assert.match(body, /svc_runs_total\{status="FAILED"\} 1\n/);
    } finally {
      await flows.stop();
    }
  });

  it('are not served by the API, even with a key', async () => {
    const acme = await service.tenant('acme');
    const missing = [404, { error: 'no route GET /metrics' }];
    const keyless = await request(`${service.url}/metrics`);
    assert.deepEqual([keyless.status, keyless.body], missing);
    const keyed = await acme.get('/metrics');
    assert.deepEqual([keyed.status, keyed.body], missing);
    const { body: document } = await request(`${service.url}/openapi.json`);
    assert.equal(document.paths['/metrics'], undefined);
  });

  it('are the only route of their listener', async () => {
    const { origin } = new URL(service.app.metricsUrl);
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/healthz'],
      ['GET', '/api/v1/packages'],
      ['GET', '/metrics/'],
      ['POST', '/metrics'],
      ['OPTIONS', '/metrics'],
    ] as const) {
      const { status, body } = await request(origin + path, { method });
      assert.deepEqual([status, body], [404, 'the metrics are at GET /metrics\n'], `${method} ${path}`);
    }
  });

  it('are served on loopback', () => {
    assert.equal(new URL(service.app.metricsUrl).hostname, '127.0.0.1');
  });

  it('stop with the service', async () => {
    const other = await startService();
    const idle = await openRaw(other.app.metricsUrl);
    idle.send('GET /metrics HTTP/1.1\r\nHost: svc\r\n\r\n');
    await idle.receives(/200 OK/);
    await other.stop();
    await idle.closed;
    await assert.rejects(fetch(other.app.metricsUrl));
  });
});
