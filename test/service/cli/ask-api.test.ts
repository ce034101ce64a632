import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { unauthorizedText } from '../../../specs/operations/access-texts.ts';
import { itSlow } from '../../support/fast-run.ts';
import { type Caller, type RunningService, startService } from '../../support/running-service.ts';
import { runInProcess } from '../../support/run-svc.ts';

describe('a command that calls the API', () => {
  let service: RunningService;
  let acme: Caller;
  let reader: Caller;
  before(async () => {
    service = await startService();
    acme = await service.tenant('acme');
    reader = await service.tenant('reader', { scopes: ['read'] });
  });
  after(() => service.stop());

  /** Returns the stderr of a command that fails. */
  async function failure(env: Record<string, string>, args = ['client', 'list']): Promise<string> {
    const { code, stdout, stderr } = await runInProcess(args, env);
    assert.deepEqual([code, stdout], [1, ''], stderr);
    assert.match(stderr, /^svc: [^\n]*\n$/);
    return stderr;
  }

  /** Answers every request with a body, for as long as `use` takes. */
  async function withServer(
    status: number,
    body: string,
    use: (url: string) => Promise<void>,
    headers: Record<string, string> = {},
  ): Promise<void> {
    const server = createServer((_, response) => response.writeHead(status, headers).end(body));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.closeAllConnections();
    server.close();
  }

  it('reports how to set a missing API key', async () => {
    assert.match(await failure({ SVC_BASE_URL: service.url }), /^svc: no API key: set --key or SVC_API_KEY/);
  });

  it('reports a refused key and the address of the service', async () => {
    const stderr = await failure({ SVC_BASE_URL: service.url, SVC_API_KEY: '0'.repeat(64) });
    const advice = 'set --key or SVC_API_KEY to a key of this service, or run svc login';
    assert.equal(stderr, `svc: ${service.url} refused the API key: ${unauthorizedText}: ${advice}\n`);
  });

  it('reports that the address is that of the metrics', async () => {
    await withServer(404, 'the metrics are at GET /metrics\n', async (url) => {
      const text = `svc: ${url} is the address of the metrics, not of the API: check the address in --url or SVC_BASE_URL\n`;
      assert.equal(await failure({ SVC_BASE_URL: url, SVC_API_KEY: acme.key }), text);
      assert.equal(await failure({ XDG_CONFIG_HOME: '/nowhere' }, ['login', '--url', url]), text);
    });
  });

  it('reports the scope that the key lacks', async () => {
    const env = { SVC_BASE_URL: service.url, SVC_API_KEY: reader.key };
    assert.equal(
      await failure(env, ['client', 'create', 'X']),
      "svc: forbidden: token lacks 'write' scope: set --key or SVC_API_KEY to a key that has it\n",
    );
  });

  it('recognizes refusals by their codes', async () => {
    const refuse = (code: string): string => JSON.stringify({ error: 'refused', code, message: 'refused' });
    await withServer(403, refuse('missing_scope'), async (url) => {
      const stderr = await failure({ SVC_BASE_URL: url, SVC_API_KEY: acme.key });
      assert.equal(stderr, 'svc: refused: set --key or SVC_API_KEY to a key that has it\n');
    });
    await withServer(404, refuse('route_not_found'), async (url) => {
      const stderr = await failure({ SVC_BASE_URL: url, SVC_API_KEY: acme.key }, ['execution', 'get', 'e1']);
      assert.equal(stderr, 'svc: refused\n');
    });
  });

  it('reports an unreachable address', async () => {
    const freed = createServer().listen(0, '127.0.0.1');
    await once(freed, 'listening');
    const { port } = freed.address() as AddressInfo;
    freed.close();
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`]) {
      const stderr = await failure({ SVC_BASE_URL: `http://${host}`, SVC_API_KEY: acme.key });
      const expected = `svc: cannot reach http://${host} \\(.*ECONNREFUSED.*\\): check that svc serve runs there, or set --url or`;
      assert.match(stderr, new RegExp(`^${expected}`));
    }
  });

  it('detects another server at the address', async () => {
    for (const status of [200, 404]) {
      await withServer(status, '<html>', async (url) => {
        const stderr = await failure({ SVC_BASE_URL: url, SVC_API_KEY: acme.key });
        assert.equal(
          stderr,
          `svc: ${url} does not answer like svc: check the address in --url or SVC_BASE_URL\n`,
        );
      });
    }
  });

  it('reports the request that failed in the service', async () => {
    await withServer(500, '{"error": "internal error (request 1)"}', async (url) => {
      const stderr = await failure({ SVC_BASE_URL: url, SVC_API_KEY: acme.key });
      assert.match(
        stderr,
        /^svc: GET \/api\/v1\/clients failed with status 500: internal error \(request 1\)\n$/,
      );
    });
  });

  it('explains a suspended tenant and an exceeded quota', async () => {
    const refused =
      '{"error": "tenant_suspended", "code": "tenant_suspended", "message": "the operator suspended the tenant and refuses its invocations"}';
    await withServer(403, refused, async (url) => {
      assert.equal(
        await failure({ SVC_BASE_URL: url, SVC_API_KEY: acme.key }),
        'svc: the operator suspended the tenant and refuses its invocations: svc tenant resume accepts them again\n',
      );
    });
    const quota = 'daily executions quota exceeded (cap 3)';
    const body = JSON.stringify({ error: 'quota_exceeded', code: 'quota_exceeded', message: quota });
    await withServer(429, body, async (url) => {
      const stderr = await failure({ SVC_BASE_URL: url, SVC_API_KEY: acme.key });
      assert.match(stderr, /quota exceeded \(cap 3\): it resets at midnight UTC, or the operator raises it/);
    });
  });

  itSlow('waits and retries when the rate limit is exceeded', async () => {
    const limits = { rps: 1, burst: 1, invocationRps: 1, invocationBurst: 1 };
    const slow = await service.tenant('slow', {
      limits: { ...limits, dailyInvocations: 10, dailyExecutions: 10 },
    });
    const env = { SVC_BASE_URL: service.url, SVC_API_KEY: slow.key };
    const runs = await Promise.all([1, 2, 3].map(() => runInProcess(['client', 'list'], env)));
    assert.deepEqual(
      runs.map(({ code }) => code),
      [0, 0, 0],
    );
    // The first does not wait. A command that waits for more than a second prints the reason once.
    const waiting =
      'waiting: rate limit exceeded: requests of the tenant are limited to 1 a second, in bursts of at most 1\n';
    const notes = runs.map(({ stderr }) => stderr);
    assert.ok(notes.includes(''), notes.join());
    assert.ok(notes.includes(waiting), notes.join());
    assert.ok(
      notes.every((each) => each === '' || each === waiting),
      notes.join(),
    );
  });

  it('does not wait when Retry-After exceeds half a minute', async () => {
    const body = JSON.stringify({ error: 'rate_limited', message: 'rate limit exceeded' });
    const refusal = async (url: string): Promise<void> => {
      const stderr = await failure({ SVC_BASE_URL: url, SVC_API_KEY: acme.key });
      assert.match(stderr, /failed with status 429: rate_limited: rate limit exceeded/);
    };
    await withServer(429, body, refusal, { 'Retry-After': '31' });
  });
});
