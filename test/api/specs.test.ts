import assert from 'node:assert/strict';
import type { OpenAPIObject, OperationObject, ResponseObject, SchemaObject } from 'openapi3-ts/oas30';
import { parse } from 'yaml';
import { createApiKey } from '../../service/access/create-api-key.ts';
import { listLanguages } from '../../service/languages/load-language.ts';
import { systemClock } from '../../service/clock.ts';
import { createIds } from '../../service/ids.ts';
import { readPackageFolder } from '../../service/nodes/package-folder.ts';
import { itSlow } from '../support/fast-run.ts';
import {
  type FixtureContainer,
  fixturePackageFolder,
  startFixtureContainer,
} from '../support/fixture-containers.ts';
import { openApiValidator } from '../support/openapi-validator.ts';
import { wholeError } from '../support/error-envelope.ts';
import {
  type Answer,
  type Caller,
  eachService,
  request,
  type RunningService,
} from '../support/running-service.ts';
import { publishSteps, twoSteps } from '../support/step-package.ts';

eachService('API documents over HTTP', (start) => {
  let service: RunningService;
  let container: FixtureContainer;
  let acme: Caller;
  let other: Caller;
  const packagePath = '/api/packages/acme/text@1.0.0/openapi.json';
  const nodeIds = new Map<string, string>();

  before(async function () {
    this.timeout(180_000);
    container = await startFixtureContainer('acme-text');
    service = await start();
    acme = await service.tenant('acme');
    other = await service.tenant('other');
    const text = await readPackageFolder(fixturePackageFolder('acme-text'));
    const published = await acme.post('/api/v1/packages', { ...text, endpoint: container.endpoint });
    assert.equal(published.status, 201, JSON.stringify(published.body));
    // A private package.
    await publishSteps(acme, { visibility: 'private' });
    const { body } = await acme.get('/api/v1/packages/acme/steps/1.0.0');
    for (const node of body.nodes) nodeIds.set(node.name, node.node_ulid);
    for (const node of published.body.nodes) nodeIds.set(node.name, node.node_ulid);
  });
  after(async () => {
    await service.stop();
    await container.stop();
  });

  const publicDocument = async (path: string): Promise<OpenAPIObject> => {
    const { status, body } = await request(service.url + path);
    assert.equal(status, 200, JSON.stringify(body));
    return body as OpenAPIObject;
  };

  /** The response, after its body has been read; until then its connection stays open. */
  const whole = async (url: string, init: RequestInit): Promise<Response> => {
    const answer = await fetch(url, init);
    await answer.arrayBuffer();
    return answer;
  };

  itSlow('can be read cross-origin without a key', async () => {
    const portal = { origin: 'https://portal.example.com' };
    const open = ['/openapi.json', '/openapi.yaml', packagePath, packagePath.replace('.json', '.yaml')];
    open.push(`/api/nodes/${nodeIds.get('Tokenize')!}/schema.json`);
    for (const path of open) {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await whole(service.url + path, { method, headers: portal });
        assert.deepEqual(
          [status, headers.get('access-control-allow-origin')],
          [200, '*'],
          `${method} ${path}`,
        );
        assert.match(headers.get('access-control-expose-headers') ?? '', /ETag/);
        assert.equal(headers.get('access-control-allow-credentials'), null);
        const known = { ...portal, 'if-none-match': headers.get('etag')! };
        const again = await whole(service.url + path, { method, headers: known });
        assert.deepEqual([again.status, again.headers.get('access-control-allow-origin')], [304, '*']);
      }
      const asked = await whole(service.url + path, {
        method: 'OPTIONS',
        headers: {
          ...portal,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'if-none-match',
        },
      });
      assert.equal(asked.status, 204, path);
      assert.equal(asked.headers.get('access-control-allow-origin'), '*');
      assert.equal(asked.headers.get('access-control-allow-methods'), 'GET, HEAD');
      assert.equal(asked.headers.get('access-control-allow-headers'), '*');
    }
    const unknown = await whole(`${service.url}/api/packages/acme/none@1.0.0/openapi.json`, {
      headers: portal,
    });
    assert.deepEqual([unknown.status, unknown.headers.get('access-control-allow-origin')], [404, '*']);
  });

  it('cannot be read cross-origin with a key, and neither can any other route', async () => {
    const withKey = { origin: 'https://portal.example.com', authorization: `Bearer ${acme.key}` };
    for (const path of [packagePath, `/api/nodes/${nodeIds.get('Tokenize')!}/schema.json`, '/openapi.json']) {
      const { status, headers } = await whole(service.url + path, { headers: withKey });
      assert.deepEqual([status, headers.get('access-control-allow-origin')], [200, null], path);
    }
    for (const path of ['/api/v1/packages', '/readyz', '/healthz', '/docs', '/api/graphs/g/openapi.json']) {
      const { headers } = await whole(service.url + path, { headers: { origin: withKey.origin } });
      assert.equal(headers.get('access-control-allow-origin'), null, path);
      const asked = await whole(service.url + path, {
        method: 'OPTIONS',
        headers: { origin: withKey.origin, 'access-control-request-method': 'GET' },
      });
      assert.deepEqual([asked.status, asked.headers.get('access-control-allow-origin')], [405, null], path);
    }
    const noQuestion = await whole(service.url + packagePath, { method: 'OPTIONS' });
    assert.equal(noQuestion.status, 405);
  });

  it('document a public package for every caller, with one operation per node', async () => {
    const document = await publicDocument(packagePath);
    const { body } = await acme.get('/api/v1/packages/acme/text/1.0.0');
    const nodes = body.nodes as { name: string }[];
    assert.deepEqual(
      Object.keys(document.paths),
      nodes.map(({ name }) => `/invocations/v1/nodes/acme/text/1.0.0/${name}`),
    );
    assert.equal(document.openapi, '3.0.3');
    assert.deepEqual(document.servers, [{ url: service.url }]);
  });

  it('match the service, which accepts each example and returns what the schema describes', async () => {
    const document = await publicDocument(packagePath);
    for (const [path, { post }] of unaryCalls(document)) {
      const { schema, example } = requestOf(post);
      assert.ok(openApiValidator(document, schema)(example), `${path}: ${JSON.stringify(example)}`);
      const { status, body } = await acme.post(path, example);
      assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
      const answers = openApiValidator(document, answerOf(document, post, 200).schema);
      assert.ok(answers(body), `${path}: ${answers.problems()}`);
    }
  });

  it('document the error responses of calls', async () => {
    const document = await publicDocument(packagePath);
    const [path = '', { post } = { post: {} as OperationObject }] =
      Object.entries(document.paths as Paths)[0] ?? [];
    const refused = async (status: number, answer: Promise<Answer>) => {
      const { status: got, ...refusal } = await answer;
      const body = wholeError(refusal);
      assert.equal(got, status, JSON.stringify(body));
      const { schema, examples } = answerOf(document, post, status);
      const fits = openApiValidator(document, schema);
      assert.ok(fits(body), `${status}: ${fits.problems()}`);
      for (const { value } of Object.values(examples ?? {})) assert.ok(fits(value), JSON.stringify(value));
    };
    const reader = await service.tenant('reader', { scopes: ['read'] });
    const slow = await service.tenant('slow', { limits: { invocationRps: 1, invocationBurst: 1 } });
    await refused(400, acme.post(path, { unknown: 1 }));
    await refused(401, request(service.url + path, { method: 'POST', body: '{}' }));
    await refused(403, reader.post(path, {}));
    await refused(413, acme.post(path, `"${'x'.repeat(16_777_216)}"`));
    // Concurrent, so that the second arrives within a second of the first even on a busy machine.
    const answers = await Promise.all([slow.post(path, {}), slow.post(path, {}), slow.post(path, {})]);
    await refused(429, Promise.resolve(answers.find(({ status }) => status !== 200) ?? answers[0]));
  });

  it('show curl, then samples of the SDKs in every language that can call nodes', async () => {
    const document = await publicDocument(packagePath);
    // App keys can invoke flows only, so pages cannot call nodes.
    const languages = (await listLanguages()).filter((id) => id !== 'typescript-browser');
    for (const [, { post }] of unaryCalls(document)) {
      const [curl, ...samples] = post['x-codeSamples'] as { lang: string; source: string }[];
      assert.match(curl?.source ?? '', /^curl 'http/);
      assert.equal(samples.length, languages.length);
      for (const { lang, source } of samples) assert.ok(source.length > 40, `${post.operationId} in ${lang}`);
    }
  });

  it('resolve latest to the highest release', async () => {
    const latest = await publicDocument('/api/packages/acme/text@latest/openapi.json');
    assert.deepEqual(latest, await publicDocument(packagePath));
  });

  it('are available as YAML', async () => {
    const path = packagePath.replace('.json', '.yaml');
    const { status, headers, body } = await request(service.url + path);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/yaml; charset=utf-8');
    assert.deepEqual(parse(body as string), await publicDocument(packagePath));
  });

  it('are cacheable: ETag, 304, HEAD', async () => {
    const first = await request(service.url + packagePath);
    const tag = first.headers.get('etag') ?? '';
    assert.match(tag, /^"[0-9a-f]{64}"$/);
    assert.equal(first.headers.get('cache-control'), 'public, no-cache');
    const again = await request(service.url + packagePath, { headers: { 'if-none-match': tag } });
    assert.deepEqual([again.status, again.body, again.headers.get('etag')], [304, '', tag]);
    const head = await fetch(service.url + packagePath, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('etag'), await head.text()], [200, tag, '']);
    const other = await request(service.url + packagePath, { headers: { 'if-none-match': '"x"' } });
    assert.equal(other.status, 200);
  });

  it('show a private package only to its owner, and are 404 for all others', async () => {
    const path = '/api/packages/acme/steps@1.0.0/openapi.json';
    const unknown = await request(`${service.url}/api/packages/acme/nothing@1.0.0/openapi.json`);
    assert.deepEqual([unknown.status, unknown.body], [404, { error: 'package not found' }]);
    const nobody = await request(service.url + path);
    const foreign = await other.get(path);
    assert.deepEqual([nobody.status, nobody.body], [404, unknown.body]);
    assert.deepEqual([foreign.status, foreign.body], [404, unknown.body]);
    const own = await acme.get(path);
    assert.deepEqual([own.status, own.headers.get('cache-control')], [200, 'private, no-cache']);
    const version = await acme.get('/api/packages/acme/steps@9.0.0/openapi.json');
    assert.deepEqual([version.status, version.body], [404, { error: 'package version not found' }]);
  });

  it('require a valid key if one is sent', async () => {
    const { status } = await service.withKey(acme.tenant, 'f'.repeat(64)).get(packagePath);
    assert.equal(status, 401);
  });

  const compiled = async (changes: Record<string, unknown> = {}): Promise<string> => {
    const { status, body } = await acme.post('/api/v1/graphs/compile', twoSteps(changes));
    assert.ok(status <= 201, JSON.stringify(body));
    return (body as { graph_id: string }).graph_id;
  };

  it('document a flow with its pinned artifact, for its own tenant', async () => {
    const id = await compiled();
    const { status, headers, body } = await acme.get(`/api/graphs/${id}/openapi.json`);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(headers.get('cache-control'), 'private, no-cache');
    const document = body as OpenAPIObject;
    assert.deepEqual(Object.keys(document.paths), ['/invocations/v1/flows/invoke']);
    const { post } = (document.paths as Paths)['/invocations/v1/flows/invoke'] as { post: OperationObject };
    const { schema, example } = requestOf(post);
    const { properties } = schema as SchemaObject;
    assert.deepEqual((properties?.graph_id as SchemaObject | undefined)?.enum, [id]);
    const takes = openApiValidator(document, schema);
    assert.ok(takes(example), takes.problems());
    assert.ok(!takes({ graph_id: 'other', input: {} }));
    assert.ok(!takes({ graph_id: id }));
    const accepted = await acme.post('/invocations/v1/flows/invoke', { ...(example as object), wait: false });
    assert.equal(accepted.status, 202, JSON.stringify(accepted.body));
    const gives = openApiValidator(document, answerOf(document, post, 202).schema);
    assert.ok(gives(accepted.body), gives.problems());
    const yaml = await acme.get(`/api/graphs/${id}/openapi.yaml`);
    assert.deepEqual(parse(yaml.body as string), document);
  });

  it('document a streaming flow with its own path', async () => {
    const node = { id: 'a', package: 'acme/steps', node_name: 'Flow' };
    const id = await compiled({ mode: 'pipeline', nodes: [node], edges: [], terminal: 'a' });
    const { body } = await acme.get(`/api/graphs/${id}/openapi.json`);
    const document = body as OpenAPIObject;
    assert.deepEqual(Object.keys(document.paths), ['/invocations/v1/flows/invoke/stream']);
    const { post } = Object.values(document.paths as Paths)[0] as { post: OperationObject };
    const content = (post.responses['200'] as ResponseObject).content ?? {};
    assert.deepEqual(Object.keys(content), ['text/event-stream']);
    const { schema, example } = content['text/event-stream'] as { schema: object; example: object };
    assert.ok(openApiValidator(document, schema)(example), JSON.stringify(example));
  });

  it('hide flows from other tenants', async () => {
    const path = `/api/graphs/${await compiled()}/openapi.json`;
    const ids = createIds(systemClock);
    const appKey = await createApiKey(
      service.db.knex,
      { ids, clock: systemClock },
      { tenantId: acme.tenant.id, name: 'web', kind: 'app', scopes: ['invoke'], graphIds: ['g'] },
    );
    const foreign = await other.get(path);
    assert.deepEqual([foreign.status, foreign.body], [404, { error: 'graph not found' }]);
    assert.equal((await acme.get('/api/graphs/unknown/openapi.json')).status, 404);
    assert.equal((await request(service.url + path)).status, 401);
    assert.equal((await service.withKey(acme.tenant, appKey.secret).get(path)).status, 403);
    // The document of a public package needs no key.
    assert.equal((await service.withKey(acme.tenant, appKey.secret).get(packagePath)).status, 200);
  });

  it('include the JSON Schema of a node, with null for an open port', async () => {
    const path = (node: string): string => `/api/nodes/${nodeIds.get(node)}/schema.json`;
    const { status, body } = await request(service.url + path('Tokenize'));
    assert.equal(status, 200);
    assert.equal(body.input.$schema, 'https://json-schema.org/draft/2020-12/schema');
    assert.deepEqual([body.input.additionalProperties, body.output.additionalProperties], [false, undefined]);
    const open = await acme.get(path('Open'));
    assert.deepEqual([open.status, open.body.input.title, open.body.output], [200, 'Step', null]);
    for (const answer of [
      await request(service.url + path('Open')),
      await other.get(path('Open')),
      await request(`${service.url}/api/nodes/01K00000000000000000000000/schema.json`),
    ]) {
      assert.deepEqual([answer.status, answer.body], [404, { error: 'node not found' }]);
    }
  });
});

type Paths = Record<string, { post: OperationObject & { 'x-codeSamples'?: unknown } }>;

/** The paths of the nodes that answer with one message. */
function unaryCalls(document: OpenAPIObject): [string, { post: OperationObject }][] {
  const isUnary = ({ post }: { post: OperationObject }): boolean =>
    'application/json' in ((post.responses['200'] as ResponseObject).content ?? {});
  const calls = Object.entries(document.paths as Paths).filter(([, path]) => isUnary(path));
  assert.ok(calls.length > 0);
  return calls;
}

function requestOf({ requestBody }: OperationObject): { schema: object; example?: unknown } {
  const body = requestBody as { content: Record<string, { schema: object; example?: unknown }> };
  return body.content['application/json'] ?? assert.fail('no JSON is taken');
}

function answerOf(
  { components }: OpenAPIObject,
  { responses }: OperationObject,
  status: number,
): { schema: object; examples?: Record<string, { value: unknown }> } {
  const response = responses[String(status)] as ResponseObject & { $ref?: string };
  const shared = components?.responses?.[response.$ref?.split('/').at(-1) ?? ''] as
    ResponseObject | undefined;
  const { content = {} } = shared ?? response;
  return (content['application/json'] ?? assert.fail(`no JSON is given with ${status}`)) as never;
}
