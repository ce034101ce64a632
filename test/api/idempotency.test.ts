import assert from 'node:assert/strict';
import { clockErrorMs } from '../support/clock-error.ts';
import { endOf } from '../support/execution-records.ts';
import { type FlowService, invokeFlow, startFlowService } from '../support/flow-service.ts';
import { type Answer, type Caller, eachService } from '../support/running-service.ts';
import { step, twoSteps } from '../support/step-package.ts';

eachService('idempotency of invocations', (start) => {
  let flows: FlowService;
  let acme: Caller;
  let graphId: string;
  before(async () => {
    flows = await startFlowService(start);
    acme = flows.acme;
    graphId = await flows.compile(twoSteps());
  });
  after(() => flows.stop());

  const idOf = ({ status, body }: Answer): string => {
    assert.equal(status, 202, JSON.stringify(body));
    return body.execution_id as string;
  };
  const started = (body: object, headers?: Record<string, string>): Promise<Answer> =>
    flows.invoke(graphId, { wait: false, ...body }, headers);
  const runsOf = async (): Promise<number> =>
    (await acme.get('/invocations/v1/executions?limit=1000')).body.executions.length as number;

  it('starts one run per key, regardless of the rest of the request', async () => {
    const key = { idempotency_key: 'one' };
    const first = idOf(await started({ ...key, input: { text: '1' } }));
    assert.equal(idOf(await started({ ...key, input: { text: '2' } })), first);
    assert.equal(idOf(await started({ input: { text: '3' } }, { 'idempotency-key': 'one' })), first);
    assert.notEqual(idOf(await started({ idempotency_key: 'two', input: { text: '1' } })), first);
  });

  it('reports a replay, and whether its flow or input differs', async () => {
    const headersOf = ({ headers }: Answer): (string | null)[] =>
      ['idempotency-replayed', 'idempotency-mismatch'].map((name) => headers.get(name));
    const key = { idempotency_key: 'replayed' };
    assert.deepEqual(headersOf(await started(key)), [null, null]);
    assert.deepEqual(headersOf(await started(key)), ['true', null]);
    assert.deepEqual(headersOf(await started({ ...key, input: { text: 'other' } })), ['true', 'input']);
    const other = await flows.compile(twoSteps({ name: 'Another flow' }));
    const again = await flows.invoke(other, { ...key, wait: false });
    assert.deepEqual([again.status, ...headersOf(again)], [202, 'true', 'graph_id']);
    const both = await flows.invoke(other, { ...key, wait: false, input: { text: 'other' } });
    assert.deepEqual([both.status, ...headersOf(both)], [202, 'true', 'graph_id, input']);
  });

  it('compares inputs as messages, regardless of their size and validity', async () => {
    const mismatch = async (key: string, input: unknown): Promise<string | null> =>
      (await flows.invoke(graphId, { idempotency_key: key, input })).headers.get('idempotency-mismatch');
    const large = 'x'.repeat(100_000);
    for (const [name, first, same, other] of [
      ['spelling', { text: 'a', count: 1 }, { count: '1', text: 'a' }, { text: 'a', count: 2 }],
      ['large', { text: large }, { text: large }, { text: `${large.slice(1)}y` }],
      ['invalid', { nope: 1 }, { nope: 2 }, { text: 'a' }],
      ['valid', { text: 'a' }, { text: 'a' }, { nope: 1 }],
    ] as const) {
      const said = [await mismatch(name, first), await mismatch(name, same), await mismatch(name, other)];
      assert.deepEqual(said, [null, null, 'input'], name);
    }
  });

  it('ignores the order of map entries', async () => {
    const source = 'syntax = "proto3"; package acme.maps.v1; message Bag { map<string, string> labels = 1; }';
    const ports = { input: 'acme.maps.v1.Bag', output: 'acme.maps.v1.Bag' };
    const published = await acme.post('/api/v1/packages', {
      ...{ name: 'acme/maps', version: '1.0.0', endpoint: flows.container.endpoint },
      protos: { 'maps.proto': source },
      nodes: [{ name: 'Keep', ...ports }],
    });
    assert.equal(published.status, 201, JSON.stringify(published.body));
    const keep = { id: 'keep', package: 'acme/maps', node_name: 'Keep' };
    const maps = await flows.compile({
      name: 'Maps',
      entry: 'keep',
      terminal: 'keep',
      nodes: [keep],
      edges: [],
    });
    const mismatch = async (labels: Record<string, string>, key = 'bag'): Promise<string | null> =>
      (await flows.invoke(maps, { idempotency_key: key, wait: false, input: { labels } })).headers.get(
        'idempotency-mismatch',
      );
    assert.equal(await mismatch({ a: '1', b: '2' }), null);
    assert.equal(await mismatch({ b: '2', a: '1' }), null);
    assert.equal(await mismatch({ a: '2', b: '1' }), 'input');
    const most = 'x'.repeat(262_144 - 20);
    assert.equal(await mismatch({ a: most, b: '2' }, 'large bag'), null);
    assert.equal(await mismatch({ b: '2', a: most }, 'large bag'), null);
    const more = 'x'.repeat(262_144);
    assert.equal(await mismatch({ a: more, b: '2' }, 'larger bag'), null);
    assert.equal(await mismatch({ b: '2', a: more }, 'larger bag'), 'input');
  });

  it('prefers the header to the field', async () => {
    const first = idOf(await started({ idempotency_key: 'field' }, { 'idempotency-key': 'header' }));
    assert.equal(idOf(await started({ idempotency_key: 'header', input: { text: 'h' } })), first);
    assert.notEqual(idOf(await started({ idempotency_key: 'field', input: { text: 'h' } })), first);
  });

  it('starts one run for identical requests without a key', async () => {
    const first = idOf(await started({ input: { text: 'same' } }));
    assert.equal(idOf(await started({ input: { text: 'same' } })), first);
    assert.notEqual(idOf(await started({ input: { text: 'other' } })), first);
  });

  it('returns the result of the first request to a replay that waits', async () => {
    const key = { idempotency_key: 'waits' };
    const first = idOf(await started({ ...key, input: { text: 'w' } }));
    const { body, headers } = await flows.invoke(graphId, { ...key, input: { text: 'ignored' } });
    assert.equal(headers.get('idempotency-replayed'), 'true');
    assert.deepEqual([body.execution_id, body.result.output.text], [first, 'wab']);
    const afterwards = await flows.invoke(graphId, key);
    assert.deepEqual([afterwards.body.execution_id, afterwards.body.result.output.text], [first, 'wab']);
  });

  it('returns the failure of a failed run to a replay', async () => {
    const key = { idempotency_key: 'fails', input: { nope: 1 } };
    const first = await flows.invoke(graphId, key);
    const second = await flows.invoke(graphId, key);
    assert.match(first.body.error_message, /^invalid JSON for acme\.steps\.v1\.Step: /);
    assert.deepEqual(second.body, first.body);
  });

  it('returns the result of the flow that the first request ran', async () => {
    const turned = await flows.compile(
      twoSteps({ nodes: [step('a'), step('b', { mock: { output: { text: 'mocked' } } })] }),
    );
    const key = { idempotency_key: 'flows' };
    const first = await flows.invoke(turned, key);
    const second = await flows.invoke(graphId, key);
    assert.deepEqual(second.body, first.body);
    assert.deepEqual(second.body.mocked_nodes, ['b']);
  });

  it('does not apply to node calls', async () => {
    const call = (): Promise<Answer> =>
      acme.post(
        '/invocations/v1/nodes/acme/steps/1.0.0/Step',
        { text: 'n' },
        { 'idempotency-key': 'a call of a node' },
      );
    const before = flows.container.requests.length;
    for (const { status, headers } of [await call(), await call()]) {
      assert.deepEqual([status, headers.get('idempotency-replayed')], [200, null]);
    }
    assert.equal(flows.container.requests.length, before + 2);
  });

  it('is scoped to the tenant', async () => {
    const other = await flows.tenant('other');
    const compiled = await other.post('/api/v1/graphs/compile', {
      ...twoSteps(),
      nodes: ['a', 'b'].map((id) => step(id, { package: 'other/steps' })),
    });
    const key = { idempotency_key: 'one', input: {} };
    const foreign = idOf(await invokeFlow(other, compiled.body.graph_id as string, key));
    assert.notEqual(foreign, idOf(await started(key)));
  });

  it('creates one execution for 100 concurrent requests and returns its result to all', async () => {
    const before = await runsOf();
    const body = { idempotency_key: 'hundred', input: { text: 'h' } };
    const answers = await Promise.all(Array.from({ length: 100 }, () => flows.invoke(graphId, body)));
    assert.equal(new Set(answers.map(idOf)).size, 1);
    assert.deepEqual(new Set(answers.map((one) => one.body.result.output.text as string)), new Set(['hab']));
    assert.equal((await runsOf()) - before, 1);
  });

  it('leaves the key of a refused request available', async () => {
    const key = { idempotency_key: 'refused' };
    assert.equal((await flows.invoke('nothing', key)).status, 404);
    assert.equal((await flows.invoke(graphId, { ...key, config_id: 'nothing' })).status, 404);
    const { body } = await flows.invoke(graphId, { ...key, input: { text: 'r' } });
    assert.equal(body.result.output.text, 'rab');
  });

  it('expires after five minutes', async () => {
    const key = { idempotency_key: 'window' };
    const first = idOf(await started(key));
    await endOf(acme, first);
    const at = { tenant_id: acme.tenant.id, execution_id: first };
    const age = (ms: number): Promise<number> =>
      flows.service.db
        .knex('idempotency')
        .where(at)
        .update({ created_at: Date.now() - ms });
    assert.equal(await age(240_000), 1);
    assert.equal(idOf(await started(key)), first);
    await age(300_001 + clockErrorMs(flows.service.db));
    assert.notEqual(idOf(await started(key)), first);
  });
});
