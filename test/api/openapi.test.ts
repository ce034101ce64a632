import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { wholeError } from '../support/error-envelope.ts';
import { type RunningService, request, startService } from '../support/running-service.ts';

describe("the service's own OpenAPI document", () => {
  let service: RunningService;

  before(async () => {
    service = await startService({ SVC_PUBLIC_URL: 'https://svc.example.com/' });
  });

  after(() => service.stop());

  it('documents every operation, under the public address', async () => {
    const { status, body } = await request(`${service.url}/openapi.json`);
    assert.equal(status, 200);
    assert.deepEqual(body.servers, [{ url: 'https://svc.example.com' }]);
    const reported = Object.entries(body.paths as Record<string, object>).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    const served = service.app.routes.map(({ operation: { method, path } }) => `${method} ${path}`);
    assert.deepEqual(reported.sort(), served.sort());
  });

  it('is also served as YAML', async () => {
    const [json, yaml] = await Promise.all(
      ['json', 'yaml'].map((format) => request(`${service.url}/openapi.${format}`)),
    );
    assert.match(yaml?.headers.get('content-type') ?? '', /^application\/yaml/);
    assert.deepEqual(parse(yaml?.body as string), json?.body);
  });

  it('is served with an ETag: 304 and HEAD', async () => {
    const first = await request(`${service.url}/openapi.json`);
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^"[0-9a-f]{64}"$/);
    const again = await request(`${service.url}/openapi.json`, { headers: { 'if-none-match': etag } });
    assert.equal(again.status, 304);
    const head = await fetch(`${service.url}/openapi.json`, { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.equal(head.headers.get('etag'), etag);
  });

  it('documents each error of the gate', async () => {
    const { body } = await request(`${service.url}/openapi.json`);
    const { responses } = body.paths['/invocations/v1/flows/invoke'].post;
    for (const status of [400, 401, 403, 413, 429, 500, 503]) assert.ok(responses[status], String(status));
    assert.deepEqual(Object.keys(responses[429].headers), ['X-Request-Id', 'Retry-After']);
    const refusal = await request(`${service.url}/api/v1/clients`);
    assert.equal(refusal.status, 401);
    const declared = body.paths['/api/v1/clients'].get.responses[401].content['application/json'];
    const { request_id } = declared.example;
    assert.deepEqual(declared.example, { ...wholeError(refusal), request_id });
  });
});
