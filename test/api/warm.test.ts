import assert from 'node:assert/strict';
import { suspendedText } from '../../specs/operations/access-texts.ts';
import { status } from '@grpc/grpc-js';
import { updateTenantStatus } from '../../service/store/tenants.ts';
import { itSlow } from '../support/fast-run.ts';
import { compileFlow, type FlowService, startFlowService } from '../support/flow-service.ts';
import { type Answer, type Caller, eachService, startService } from '../support/running-service.ts';
import { type ScriptedContainer, startScriptedContainer } from '../support/scripted-container.ts';
import { publishSteps, step, twoSteps } from '../support/step-package.ts';
import { until } from '../support/until.ts';

const path = '/invocations/v1/flows/warm';

/** A flow of one node of each package. */
function flowOf(name: string, packages: readonly string[]): object {
  const nodes = packages.map((from, index) => step(`n${index}`, { package: from }));
  const edges = nodes.slice(1).map((_, index) => ({ from: `n${index}`, to: `n${index + 1}` }));
  return { name, nodes, edges, entry: 'n0', terminal: `n${nodes.length - 1}` };
}

eachService('warming', (start) => {
  let flows: FlowService;
  let acme: Caller;
  let other: Caller;
  let ready: ScriptedContainer;
  let graph: string;
  before(async function () {
    this.timeout(180_000);
    flows = await startFlowService(start);
    acme = flows.acme;
    other = await flows.tenant('other');
    ready = await startScriptedContainer(() => undefined, { warm: status.OK });
    for (const name of ['acme/one', 'acme/two']) {
      await publishSteps(acme, { name, endpoint: ready.endpoint });
    }
    await publishSteps(acme, { name: 'acme/cold' });
    graph = await flows.compile(flowOf('both', ['acme/one', 'acme/two', 'acme/one']));
  });
  after(async () => {
    ready.kill();
    await flows.stop();
  });
  beforeEach(() => {
    ready.warmed.length = 0;
  });

  const appKey = async (graphIds: string[]): Promise<Caller> => {
    const fields = { name: 'shop', graph_ids: [graph], rate_rps: 1_000, rate_burst: 1_000 };
    const { body } = await acme.post('/api/v1/api-keys', fields);
    // Older releases minted keys for any ids.
    const row = { graph_ids: JSON.stringify(graphIds) };
    await flows.service.db.knex('api_keys').where({ id: body.id }).update(row);
    return flows.service.withKey(acme.tenant, body.key as string);
  };
  const warmed = async (count: number): Promise<object[]> => {
    await until(() => ready.warmed.length >= count);
    return ready.warmed.map(({ tenantId, nodes }) => ({ tenantId, nodes }));
  };
  const usage = async (caller: Caller): Promise<unknown> =>
    flows.service.db.knex('daily_usage').where({ tenant_id: caller.tenant.id }).first();

  it('asks each container of a flow once to warm up, without running anything', async () => {
    const { status: answered, body } = await acme.post(path, {
      graph_id: graph,
      tenant_id: other.tenant.id,
      flow_owner: 7,
    });
    assert.deepEqual([answered, body], [202, { warmed: true, graph_id: graph }]);
    const asked = { tenantId: acme.tenant.id, nodes: ['Step'] };
    assert.deepEqual(await warmed(2), [asked, asked]);
    assert.equal(ready.requests.length, 0);
  });

  it('succeeds without effect if no version is deployed or the container does not support it', async () => {
    const cold = await flows.compile(flowOf('cold', ['acme/cold', 'acme/steps']));
    assert.deepEqual((await acme.post(path, { graph_id: cold })).body, { warmed: true, graph_id: cold });
    await acme.post(path, { graph_id: graph });
    await warmed(2);
  });

  it('skips packages that the caller can no longer use', async () => {
    await publishSteps(other, { name: 'other/open', visibility: 'public', endpoint: ready.endpoint });
    const shared = await flows.compile(flowOf('shared', ['other/open', 'acme/one']));
    await acme.post(path, { graph_id: shared });
    await warmed(2);
    ready.warmed.length = 0;
    await flows.service.db
      .knex('packages')
      .where({ tenant_id: other.tenant.id, name: 'open' })
      .update({ visibility: 'private' });
    assert.equal((await acme.post(path, { graph_id: shared })).status, 202);
    await acme.post(path, { graph_id: graph });
    assert.equal((await warmed(3)).length, 3);
  });

  it('warms the containers of the generic node behind an Instance', async () => {
    const published = await acme.post('/api/v1/packages', {
      name: 'acme/any',
      version: '1.0.0',
      endpoint: ready.endpoint,
      protos: {
        'acme/any.proto': 'syntax = "proto3"; package acme.any.v1; message Note { string text = 1; }',
      },
      nodes: [{ name: 'Turn', kind: 'generic', generic: ['input', 'output'] }],
    });
    assert.equal(published.status, 201, JSON.stringify(published.body));
    const draft = (message_name: string): object => ({ message_name, fields: { name: 'string' } });
    const bound = await acme.post('/api/v1/instances', {
      generic_package: 'acme/any',
      generic_node: 'Turn',
      name: 'acme/turned',
      input: draft('Egg'),
      output: draft('Hen'),
    });
    assert.equal(bound.status, 201, JSON.stringify(bound.body));
    const turned = await flows.compile({
      name: 'Turned',
      entry: 'a',
      terminal: 'a',
      nodes: [{ id: 'a', package: 'acme/turned', node_name: 'Turn' }],
      edges: [],
    });
    assert.equal((await acme.post(path, { graph_id: turned })).status, 202);
    assert.deepEqual(await warmed(1), [{ tenantId: acme.tenant.id, nodes: ['Turn'] }]);
  });

  it('reports what it cannot warm, and why', async () => {
    const theirs = await compileFlow(other, twoSteps({ nodes: twoStepsOf('other/steps') }));
    const refused: [unknown, number, object][] = [
      [{ graph_id: theirs }, 403, { error: 'forbidden', message: 'not authorized to warm this flow' }],
      [{ graph_id: 'unknown' }, 404, { error: 'not_found', message: 'flow not found' }],
    ];
    for (const [body, expected, said] of refused) {
      const answer = await acme.post(path, body);
      assert.deepEqual([answer.status, answer.body], [expected, said]);
    }
    for (const body of [undefined, {}, { graph_id: '' }, { graph_id: 'a b' }, { graph_id: 7 }, '[]']) {
      const answer = await acme.post(path, body);
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_request'], JSON.stringify(body));
      assert.match(answer.body.message as string, /graph_id/);
    }
    // Only a missing id stands for all graphs of an app key.
    assert.equal((await (await appKey([graph])).post(path, { graph_id: '' })).status, 400);
    const broken = await acme.post(path, '{"graph_id": ');
    assert.equal(broken.status, 400);
    assert.match(broken.body.error_message as string, /^invalid request body: /);
    assert.equal(ready.warmed.length, 0);
  });

  it('accepts a body of 64 KiB, and refuses one byte more', async () => {
    const padded = (bytes: number): string => JSON.stringify({ graph_id: graph }).padEnd(bytes, ' ');
    assert.equal((await acme.post(path, padded(65_536))).status, 202);
    assert.equal((await acme.post(path, padded(65_537))).status, 413);
    await warmed(2);
  });

  it('charges one daily invocation, no execution, and nothing if refused', async () => {
    const poor = await flows.tenant('poor', { dailyInvocations: 2 });
    const own = await compileFlow(poor, twoSteps({ nodes: twoStepsOf('poor/steps') }));
    await poor.post(path, { graph_id: 'unknown' });
    for (let time = 0; time < 2; time += 1)
      assert.equal((await poor.post(path, { graph_id: own })).status, 202);
    const over = await poor.post(path, { graph_id: own });
    assert.equal(over.status, 429);
    assert.equal(over.body.error, 'quota_exceeded');
    assert.equal(over.body.message, 'daily invocations quota exceeded (cap 2)');
    const { invocations, executions } = (await usage(poor)) as { invocations: unknown; executions: unknown };
    assert.deepEqual([Number(invocations), Number(executions)], [2, 0]);
  });

  it('requires invoke scope and an active tenant', async () => {
    const reader = await flows.service.tenant('reader', { scopes: ['read', 'write'] });
    assert.equal((await reader.post(path, { graph_id: graph })).status, 403);
    const gone = await flows.service.tenant('gone');
    await updateTenantStatus(flows.service.db.knex, gone.tenant.id, 'suspended');
    assert.deepEqual((await gone.post(path, { graph_id: graph })).body, {
      error: 'tenant_suspended',
      message: suspendedText,
    });
  });

  describe('by app keys', () => {
    it('without a body warms every graph of the key', async () => {
      const one = await flows.compile(flowOf('one', ['acme/one']));
      const app = await appKey([one, graph, 'gone']);
      const answer = await app.post(path);
      assert.deepEqual(
        [answer.status, answer.body],
        [
          202,
          {
            warmed: true,
            graph_ids: [one, graph],
            held: [one, graph],
            truncated_packages: 0,
            window_seconds: 360,
          },
        ],
      );
      assert.equal((await warmed(2)).length, 2);
      assert.equal((await app.post(path, {})).body.truncated_packages, 0);
    });

    it('warms a named graph only if the key has it', async () => {
      const one = await flows.compile(flowOf('one', ['acme/one']));
      const theirs = await compileFlow(other, twoSteps({ nodes: twoStepsOf('other/steps') }));
      const app = await appKey([one, theirs, 'gone']);
      const asked = (graphId: string): Promise<Answer> => app.post(path, { graph_id: graphId });
      assert.deepEqual((await asked(one)).body, { warmed: true, graph_id: one });
      const denied = await asked(graph);
      assert.deepEqual([denied.status, denied.body.error], [403, 'app_key_graph_denied']);
      assert.equal((await asked(theirs)).body.error, 'forbidden');
      assert.equal((await asked('gone')).body.error, 'not_found');
      assert.equal((await asked('a b')).body.error, 'invalid_request');
    });

    it('is limited to a burst of three, then reports how long to wait', async () => {
      const cold = await flows.compile(flowOf('cold', ['acme/cold']));
      const app = await appKey([cold]);
      for (let time = 0; time < 3; time += 1) assert.equal((await app.post(path)).status, 202);
      const { status: answered, body, headers } = await app.post(path);
      assert.deepEqual([answered, body.error], [429, 'warm_rate_limited']);
      const seconds = Number(headers.get('retry-after'));
      assert.ok(seconds >= 10 && seconds <= 20, String(seconds));
      assert.equal(body.retry_after_seconds, seconds);
      assert.equal((await (await appKey([cold])).post(path)).status, 202);
      for (let time = 0; time < 4; time += 1) {
        assert.equal((await acme.post(path, { graph_id: cold })).status, 202);
      }
    });
  });
});

function twoStepsOf(name: string): object[] {
  return [step('a', { package: name }), step('b', { package: name })];
}

describe('warming by configuration', () => {
  const withPackages = async (count: string, use: (flows: FlowService) => Promise<void>): Promise<void> => {
    const flows = await startFlowService(() => startService({ SVC_WARM_PACKAGES: count }));
    try {
      await use(flows);
    } finally {
      await flows.stop();
    }
  };

  itSlow('limits the packages of a beacon to those referenced first', () =>
    withPackages('2', async (flows) => {
      const { acme, service } = flows;
      const ready = await startScriptedContainer(() => undefined, { warm: status.OK });
      for (const name of ['acme/one', 'acme/two', 'acme/three']) {
        await publishSteps(acme, { name, endpoint: ready.endpoint });
      }
      const within = await flows.compile(flowOf('within', ['acme/two', 'acme/one']));
      const beyond = await flows.compile(flowOf('beyond', ['acme/one', 'acme/three']));
      const beacon = async (graphIds: string[]): Promise<Answer> => {
        const { body } = await acme.post('/api/v1/api-keys', { name: 'shop', graph_ids: graphIds });
        return service.withKey(acme.tenant, body.key as string).post(path);
      };
      assert.equal((await beacon([within])).body.truncated_packages, 0);
      const { body } = await beacon([within, beyond]);
      assert.deepEqual([body.truncated_packages, body.held], [1, [within, beyond]]);
      // A named flow is warmed completely.
      assert.equal((await acme.post(path, { graph_id: beyond })).status, 202);
      ready.kill();
    }),
  );

  itSlow('returns 503 with Retry-After when it is turned off', () =>
    withPackages('0', async (flows) => {
      const { acme } = flows;
      const graph = await flows.compile(twoSteps());
      const { status: answered, body, headers } = await acme.post(path, { graph_id: graph });
      assert.deepEqual([answered, body.error, body.retry_after_seconds], [503, 'warm_unavailable', 5]);
      assert.equal(headers.get('retry-after'), '5');
    }),
  );
});
