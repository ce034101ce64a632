import assert from 'node:assert/strict';
import { unauthorizedText } from '../../specs/operations/access-texts.ts';
import { createApiKey } from '../../service/access/create-api-key.ts';
import { systemClock } from '../../service/clock.ts';
import { createIds } from '../../service/ids.ts';
import { itSlow } from '../support/fast-run.ts';
import { compileFlow, type FlowService, invokeFlow, startFlowService } from '../support/flow-service.ts';
import { type Answer, type Caller, eachService, request } from '../support/running-service.ts';
import { step, stepPackage, twoSteps } from '../support/step-package.ts';

const keysPath = '/api/v1/api-keys';

eachService('app keys', (start) => {
  let flows: FlowService;
  let acme: Caller;
  let other: Caller;
  let graph: string;
  let another: string;
  before(async function () {
    this.timeout(180_000);
    flows = await startFlowService(start);
    acme = flows.acme;
    other = await flows.tenant('other');
    graph = await flows.compile(twoSteps());
    another = await flows.compile(twoSteps({ name: 'Another' }));
  });
  after(() => flows.stop());

  const mint = (fields: object = {}): Promise<Answer> =>
    acme.post(keysPath, { name: 'shop', graph_ids: [graph], ...fields });

  const minted = async (fields: object = {}): Promise<Caller & { id: string }> => {
    const { status, body } = await mint({ rate_rps: 1_000, rate_burst: 1_000, ...fields });
    assert.equal(status, 201, JSON.stringify(body));
    return { ...flows.service.withKey(acme.tenant, body.key), id: body.id };
  };

  /** Stores graphs under other ids. */
  const copyGraph = async (from: string, ids: readonly string[]): Promise<void> => {
    const { knex } = flows.service.db;
    const row = (await knex('graphs').where({ id: from }).first()) as object;
    await knex.batchInsert(
      'graphs',
      ids.map((id) => ({ ...row, id })),
      100,
    );
  };

  describe('creation', () => {
    it('returns the raw key once and applies the defaults', async () => {
      const { status, body, headers } = await mint();
      assert.equal(status, 201);
      const { id, key, created_at, ...rest } = body;
      assert.match(key, /^svcapp_[0-9a-f]{64}$/);
      assert.ok(Math.abs(Date.now() - Date.parse(created_at)) < 60_000);
      assert.deepEqual(rest, {
        name: 'shop',
        scopes: ['invoke'],
        graph_ids: [graph],
        allowed_origins: [],
        rate_rps: 5,
        rate_burst: 10,
        expires_at: null,
      });
      assert.equal(headers.get('cache-control'), 'no-store');
      const listed = (await acme.get(keysPath)).body.find((one: { id: string }) => one.id === id);
      assert.deepEqual(listed, {
        ...rest,
        id,
        created_at,
        kind: 'app',
        key_hint: key.slice(-4),
        revoked_at: null,
        last_used_at: null,
      });
    });

    it('adds the key to the list beside full keys, for its own tenant only', async () => {
      await mint();
      const mine = (await acme.get(keysPath)).body as { kind: string; graph_ids: string[] }[];
      assert.ok(mine.some(({ kind, graph_ids }) => kind === 'full' && graph_ids.length === 0));
      // Only app keys have their own rates.
      assert.ok(
        mine.every(
          (each) =>
            'rate_rps' in each === (each.kind === 'app') && 'rate_burst' in each === (each.kind === 'app'),
        ),
      );
      const theirs = (await other.get(keysPath)).body as { kind: string }[];
      assert.deepEqual(
        theirs.map(({ kind }) => kind),
        ['full'],
      );
    });

    const many = (count: number, make: (index: number) => string): string[] =>
      Array.from({ length: count }, (_, index) => make(index));
    const accepted: Record<string, object> = {
      'a name of 200 characters': { name: 'n'.repeat(200) },
      'the scope invoke': { scopes: ['invoke'] },
      '100 origins': { allowed_origins: many(100, (index) => `https://s${index}.example.com`) },
      'a rate at its cap': { rate_rps: 1_000, rate_burst: 10_000 },
      'less than one request a second': { rate_rps: 0.1, rate_burst: 1 },
      'origins with a port or an app scheme': {
        allowed_origins: ['http://localhost:5173', 'http://[::1]:8080', 'capacitor://localhost'],
      },
      'an expiry in the future': { expires_at: '2999-01-01T00:00:00Z' },
    };
    for (const [title, fields] of Object.entries(accepted)) {
      it(`accepts ${title}`, async () => {
        const { status, body } = await mint(fields);
        assert.equal(status, 201, JSON.stringify(body));
      });
    }

    it('accepts 1000 graphs', async () => {
      const ids = many(1_000, (index) => `g-${index}`);
      await copyGraph(graph, ids);
      assert.equal((await mint({ graph_ids: ids })).status, 201);
    });

    it('refuses unknown graphs and those of other tenants', async () => {
      const theirs = await compileFlow(other, twoSteps({ name: 'Theirs' }));
      const app = await minted();
      for (const id of ['unknown', theirs]) {
        const body = { error: `graph "${id}" not found: give the graph_id of a compiled flow` };
        const refusals = [
          await mint({ graph_ids: [graph, id] }),
          await acme.patch(`${keysPath}/${app.id}`, { graph_ids: [id, graph] }),
        ];
        for (const refusal of refusals) assert.deepEqual([refusal.status, refusal.body], [404, body]);
      }
      assert.equal((await invokeFlow(app, graph)).status, 202, 'the key is unchanged');
    });

    const refused: Record<string, [object, RegExp]> = {
      'without a name': [{ name: undefined }, /name: is required/],
      'with an empty name': [{ name: '' }, /name: must not be empty/],
      'with a name of 201 characters': [{ name: 'n'.repeat(201) }, /name: /],
      'with other scopes': [{ scopes: ['read', 'invoke'] }, /scopes: must be \["invoke"\]/],
      'with no scopes': [{ scopes: [] }, /scopes: must be \["invoke"\]/],
      'without graphs': [{ graph_ids: [] }, /graph_ids: must name at least one graph/],
      'with 1001 graphs': [{ graph_ids: many(1_001, (index) => `g-${index}`) }, /at most 1000 graphs/],
      'with an invalid graph_id': [{ graph_ids: ['a b'] }, /graph_ids\[0\]: must be the graph_id/],
      'with 101 origins': [
        { allowed_origins: many(101, (index) => `https://s${index}.example.com`) },
        /at most 100 origins/,
      ],
      'with a wildcard as the origin': [
        { allowed_origins: ['*'] },
        /"\*" is not an origin: an empty list allows/,
      ],
      'with an origin and path': [{ allowed_origins: ['https://a.example.com/'] }, /is not an origin: use/],
      'with the default port of the scheme': [
        { allowed_origins: ['https://a.example.com:443'] },
        /is not an origin/,
      ],
      'with an uppercase origin': [{ allowed_origins: ['https://A.example.com'] }, /is not an origin/],
      'with the opaque origin': [{ allowed_origins: ['null'] }, /is not an origin/],
      'with a rate of zero': [{ rate_rps: 0 }, /rate_rps: /],
      'with a rate above its cap': [{ rate_rps: 1_000.1 }, /rate_rps: /],
      'with a burst below one': [{ rate_burst: 0.9 }, /rate_burst: /],
      'with a burst above its cap': [{ rate_burst: 10_001 }, /rate_burst: /],
      'with an expiry in the past': [{ expires_at: '2020-01-01T00:00:00Z' }, /must be in the future/],
      'with an unknown field': [{ kind: 'full' }, /kind/],
    };
    for (const [title, [fields, expected]] of Object.entries(refused)) {
      it(`refuses a key ${title}`, async () => {
        const { status, body } = await mint(fields);
        assert.equal(status, 400, JSON.stringify(body));
        assert.match(body.error, expected);
      });
    }

    it('requires a full key that has the granted scopes', async () => {
      const app = await minted();
      assert.equal((await app.post(keysPath, { name: 'x', graph_ids: [graph] })).status, 403);
      const made = { tenantId: acme.tenant.id, name: 'writer', kind: 'full' as const };
      const keyOf = async (scopes: ('read' | 'write' | 'invoke')[]): Promise<Caller> => {
        const { secret } = await createApiKey(
          flows.service.db.knex,
          { ids: createIds(systemClock), clock: systemClock },
          { ...made, scopes },
        );
        return flows.service.withKey(acme.tenant, secret);
      };
      for (const [scopes, lacked] of [
        [['read', 'invoke'], 'write'],
        [['read', 'write'], 'invoke'],
      ] as const) {
        const key = await keyOf([...scopes]);
        for (const answer of [
          await key.post(keysPath, { name: 'x', graph_ids: [graph] }),
          await key.patch(`${keysPath}/${app.id}`, { graph_ids: [another] }),
        ]) {
          assert.equal(answer.status, 403);
          assert.equal(answer.body.error, `forbidden: token lacks '${lacked}' scope`);
        }
      }
    });
  });

  describe('access', () => {
    it('is limited to the listed graphs', async () => {
      const app = await minted();
      const ran = await invokeFlow(app, graph, { input: { text: '' } });
      assert.equal(ran.body.result.success, true, JSON.stringify(ran.body));
      const { status, body } = await invokeFlow(app, another);
      assert.equal(status, 403);
      assert.equal(body.error, 'app_key_graph_denied');
      assert.ok(body.message.includes(`"${another}"`));
    });

    it('is limited to the runs that the key started', async () => {
      const app = await minted();
      const stranger = await minted();
      const started = (caller: Caller, text: string): Promise<string> =>
        invokeFlow(caller, graph, { input: { text } }).then(({ body }) => body.execution_id as string);
      const own = await started(app, 'own');
      const record = `/invocations/v1/executions/${own}`;
      const read = await app.get(record);
      assert.equal(read.body.status, 'COMPLETED');
      assert.equal((await app.get(`${record}/events?decode=true`)).status, 200);
      const checkpoint = `${record}/checkpoints/${read.body.latest_checkpoint_id}`;
      assert.equal((await app.get(checkpoint)).status, 200);
      for (const [caller, path] of [
        [stranger, record],
        [stranger, `${record}/events`],
        [stranger, checkpoint],
        [app, `/invocations/v1/executions/${await started(acme, 'of the tenant')}`],
        [app, `/invocations/v1/executions/${'0'.repeat(32)}`],
      ] as const) {
        assert.equal((await caller.get(path)).status, 404, path);
      }
      assert.equal((await acme.get(record)).status, 200);
    });

    it('includes the branches of those runs', async () => {
      const branching = await flows.compile(
        twoSteps({
          name: 'Branching',
          nodes: [step('a'), step('b'), step('c'), step('d', { join: { policy: 'all' } })],
          edges: ['a b', 'a c', 'b d', 'c d'].map((ends) => ({ from: ends[0], to: ends[2] })),
          terminal: 'd',
        }),
      );
      const app = await minted({ graph_ids: [branching] });
      const { body } = await invokeFlow(app, branching);
      const { events } = (await app.get(`/invocations/v1/executions/${body.execution_id}/events`)).body;
      const branches = new Set(
        (events as { instance_id?: string }[]).flatMap((one) => one.instance_id ?? []),
      );
      assert.ok(branches.size > 0);
      for (const branch of branches) {
        assert.equal((await app.get(`/invocations/v1/executions/${branch}`)).status, 200);
        assert.equal((await (await minted()).get(`/invocations/v1/executions/${branch}`)).status, 404);
      }
    });

    it('excludes runs of the tenant with the same idempotency key or input', async () => {
      const app = await minted();
      for (const body of [{ idempotency_key: 'shared' }, { input: { text: 'the same' } }]) {
        const theirs = await invokeFlow(acme, graph, body);
        const ours = await invokeFlow(app, graph, body);
        const again = await invokeFlow(app, graph, body);
        assert.notEqual(ours.body.execution_id, theirs.body.execution_id);
        assert.equal(ours.body.execution_id, again.body.execution_id);
      }
    });

    it('excludes flows with mocks', async () => {
      const mocked = await flows.compile(
        twoSteps({ name: 'Mocked', nodes: [step('a', { mock: { output: {} } }), step('b')] }),
      );
      const text = 'mocked artifacts cannot be published: compile the flow without mocks';
      const refused = await mint({ graph_ids: [graph, mocked] });
      assert.deepEqual([refused.status, refused.body], [400, { error: text }]);
      const app = await minted();
      const patched = await acme.patch(`${keysPath}/${app.id}`, { graph_ids: [mocked] });
      assert.deepEqual([patched.status, patched.body], [400, { error: text }]);
      // Older releases minted keys for graphs that did not exist yet.
      const late = await minted();
      const ids = JSON.stringify([graph, 'later']);
      await flows.service.db.knex('api_keys').where({ id: late.id }).update({ graph_ids: ids });
      await copyGraph(mocked, ['later']);
      const invoked = await invokeFlow(late, 'later');
      assert.deepEqual([invoked.status, invoked.body], [400, { error: 'invalid_argument', message: text }]);
      assert.equal((await invokeFlow(acme, mocked)).status, 202, 'a full key may run it');
    });

    itSlow('includes every public document, but none that requires a key', async () => {
      const app = await minted();
      const node = async (name: string, visibility: string): Promise<string[]> => {
        const { body } = await acme.post(
          '/api/v1/packages',
          stepPackage({ name: `acme/${name}`, visibility }),
        );
        const documents = `/api/packages/acme/${name}@1.0.0`;
        return [
          `${documents}/openapi.json`,
          `${documents}/openapi.yaml`,
          `/api/nodes/${body.nodes[0].node_ulid}/schema.json`,
        ];
      };
      for (const path of await node('open', 'public')) {
        const answer = await app.get(path);
        const keyless = await request(flows.service.url + path);
        assert.deepEqual([answer.status, answer.body], [200, keyless.body], path);
      }
      for (const path of await node('closed', 'private')) {
        const answer = await app.get(path);
        const expected = [403, { error: 'forbidden: app keys may only invoke flows: use a full key' }];
        assert.deepEqual([answer.status, answer.body], expected, path);
        assert.equal((await acme.get(path)).status, 200);
      }
    });

    it('excludes management routes, nodes and the list of runs', async () => {
      const app = await minted();
      const surfaces: [string, string][] = flows.service.app.routes
        .map(({ operation }) => operation)
        .filter(({ caller }) => caller === 'full-key' || caller === 'optional-key')
        .map(({ method, path }) => [method.toUpperCase(), path]);
      assert.ok(surfaces.length > 30);
      for (const [method, path] of surfaces) {
        const url = flows.service.url + path.replaceAll(/\{\w+\}/g, 'x');
        const headers = { authorization: `Bearer ${app.key}`, 'content-type': 'application/json' };
        const answer = await fetch(url, { method, headers, ...(method === 'GET' ? {} : { body: '{}' }) });
        assert.equal(answer.status, 403, `${method} ${path}`);
        await answer.text();
      }
      const open = flows.service.app.routes
        .map(({ operation }) => operation)
        .filter(({ caller }) => caller === 'any-key');
      assert.deepEqual(open.map(({ id }) => id).sort(), [
        'debugStream',
        'getCheckpoint',
        'getExecution',
        'invokeFlow',
        'listEvents',
        'listExecutionPauses',
        'resumeFlow',
        'streamFlow',
        'warmFlow',
      ]);
    });

    it('is limited by the rate of the key, independent of the rate of the tenant', async () => {
      const app = await minted({ rate_rps: 0.001, rate_burst: 2 });
      const path = `/invocations/v1/executions/${'0'.repeat(32)}`;
      assert.equal((await app.get(path)).status, 404);
      assert.equal((await app.get(path)).status, 404);
      const { status, body, headers } = await app.get(path);
      const error = 'rate limit exceeded';
      const message = `${error}: requests with this app key are limited to 0.06 a minute, in bursts of at most 2`;
      assert.deepEqual([status, body], [429, { error, message }]);
      assert.equal(headers.get('retry-after'), '1');
      assert.equal((await acme.get(path)).status, 404);
    });
  });

  describe('changes', () => {
    it('replace each list separately, effective from the next request', async () => {
      const app = await minted({ allowed_origins: ['https://a.example.com'] });
      const path = `${keysPath}/${app.id}`;
      const moved = await acme.patch(path, { graph_ids: [another, another] });
      assert.equal(moved.status, 200);
      assert.deepEqual(moved.body.graph_ids, [another]);
      assert.deepEqual(moved.body.allowed_origins, ['https://a.example.com']);
      assert.equal((await invokeFlow(app, another)).status, 202);
      assert.equal((await invokeFlow(app, graph)).status, 403);
      const opened = await acme.patch(path, { allowed_origins: [] });
      assert.deepEqual([opened.body.graph_ids, opened.body.allowed_origins], [[another], []]);
      const same = await acme.patch(path, {});
      assert.deepEqual(same.body.graph_ids, [another]);
    });

    it('are limited to the lists of graphs and origins', async () => {
      const app = await minted();
      const path = `${keysPath}/${app.id}`;
      for (const wrong of [
        { graph_ids: [] },
        { name: 'x' },
        { scopes: ['invoke'] },
        { rate_rps: 1 },
        { expires_at: null },
        { graph_ids: null },
        { allowed_origins: ['*'] },
      ]) {
        assert.equal((await acme.patch(path, wrong)).status, 400, JSON.stringify(wrong));
      }
      assert.equal((await invokeFlow(app, graph)).status, 202);
    });

    it('include revocation, once and by its own tenant only', async () => {
      const app = await minted();
      const path = `${keysPath}/${app.id}`;
      const full = ((await acme.get(keysPath)).body as { id: string; kind: string }[]).find(
        ({ kind }) => kind === 'full',
      );
      for (const [caller, at] of [
        [other, path],
        [acme, `${keysPath}/${full?.id ?? ''}`],
        [acme, `${keysPath}/unknown`],
      ] as const) {
        assert.equal((await caller.patch(at, { graph_ids: [another] })).status, 404);
        assert.equal((await caller.delete(at)).status, 404);
      }
      assert.equal((await acme.delete(path)).status, 204);
      assert.deepEqual((await invokeFlow(app, graph)).body, {
        error: 'unauthorized',
        message: unauthorizedText,
      });
      assert.equal((await acme.patch(path, { graph_ids: [another] })).status, 404);
      assert.equal((await acme.delete(path)).status, 404);
      const listed = ((await acme.get(keysPath)).body as { id: string; revoked_at: string | null }[]).find(
        ({ id }) => id === app.id,
      );
      assert.notEqual(listed?.revoked_at, null);
    });
  });
});
