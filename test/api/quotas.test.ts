import assert from 'node:assert/strict';
import { endOf } from '../support/execution-records.ts';
import { compileFlow, type FlowService, invokeFlow, startFlowService } from '../support/flow-service.ts';
import { type Answer, type Caller, eachService } from '../support/running-service.ts';
import { step } from '../support/step-package.ts';

eachService('daily quotas', (start) => {
  let flows: FlowService;
  before(async () => {
    flows = await startFlowService(start);
  });
  after(() => flows.stop());

  const oneStep = (handle: string) => ({
    name: 'One',
    entry: 'a',
    terminal: 'a',
    nodes: [step('a', { package: `${handle}/steps` })],
    edges: [],
  });
  const prepare = async (handle: string, limits: object): Promise<{ caller: Caller; graphId: string }> => {
    const caller = await flows.tenant(handle, limits);
    return { caller, graphId: await compileFlow(caller, oneStep(handle)) };
  };
  const refused = ({ status, headers, body }: Answer, quota: string, cap: number): void => {
    assert.equal(status, 429);
    const seconds = body.retry_after_seconds as number;
    assert.deepEqual(body, {
      error: 'quota_exceeded',
      message: `daily ${quota} quota exceeded (cap ${cap})`,
      retry_after_seconds: seconds,
    });
    assert.equal(headers.get('retry-after'), String(seconds));
    const midnight = new Date().setUTCHours(24, 0, 0, 0);
    assert.ok(Math.abs(midnight - Date.now() - seconds * 1000) < 60_000, `${seconds} s to midnight`);
  };

  it('admit exactly the cap of concurrent invocations', async () => {
    const { caller, graphId } = await prepare('invocations', { dailyInvocations: 10 });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => invokeFlow(caller, graphId, { input: { text: `${index}` } })),
    );
    assert.equal(answers.filter(({ status }) => status === 202).length, 10);
    const others = answers.filter(({ status }) => status !== 202);
    assert.equal(others.length, 20);
    for (const answer of others) refused(answer, 'invocations', 10);
    const { body } = await caller.get('/invocations/v1/executions?branches=true');
    assert.equal(body.executions.length, 10);
  });

  it('admit as many concurrent executions as the operator allows', async () => {
    const { caller, graphId } = await prepare('inflight', { inflight: 2 });
    flows.behaviours.set('a', () => undefined);
    const started: string[] = [];
    for (const text of ['1', '2']) {
      const { status, body } = await invokeFlow(caller, graphId, { input: { text }, wait: false });
      assert.equal(status, 202);
      started.push(body.execution_id as string);
    }
    const refusal = await invokeFlow(caller, graphId, { input: { text: '3' }, wait: false });
    assert.deepEqual([refusal.status, refusal.body.error], [429, 'inflight_exceeded']);
    assert.equal(refusal.headers.get('retry-after'), '1');
    const [first = '', second = ''] = started;
    assert.equal((await caller.post(`/invocations/v1/executions/${first}/cancel`, {})).status, 200);
    const again = await invokeFlow(caller, graphId, { input: { text: '3' }, wait: false });
    assert.equal(again.status, 202);
    for (const id of [second, again.body.execution_id as string]) {
      await caller.post(`/invocations/v1/executions/${id}/cancel`, {});
    }
    flows.behaviours.delete('a');
  });

  it('admit exactly the cap of executions', async () => {
    const { caller, graphId } = await prepare('executions', { dailyExecutions: 2 });
    for (const text of ['1', '2']) {
      assert.equal((await invokeFlow(caller, graphId, { input: { text } })).status, 202);
    }
    refused(await invokeFlow(caller, graphId, { input: { text: '3' } }), 'executions', 2);
  });

  it('are not consumed by a repeated request, which succeeds even when they are used up', async () => {
    const { caller, graphId } = await prepare('repeats', { dailyInvocations: 1 });
    const first = await invokeFlow(caller, graphId, { input: { text: '1' } });
    const again = await invokeFlow(caller, graphId, { input: { text: '1' } });
    assert.deepEqual([again.status, again.body.execution_id], [202, first.body.execution_id]);
  });

  it('leave the key of a refused request available', async () => {
    const { caller, graphId } = await prepare('keys', { dailyInvocations: 1 });
    await invokeFlow(caller, graphId, { input: { text: '1' } });
    const key = { idempotency_key: 'later', input: { text: '2' } };
    refused(await invokeFlow(caller, graphId, key), 'invocations', 1);
    // The operator raises the cap.
    await flows.service.db
      .knex('tenants')
      .where({ id: caller.tenant.id })
      .update({ limits: JSON.stringify({ ...caller.tenant.limits, dailyInvocations: 2 }) });
    const { status, body } = await invokeFlow(caller, graphId, key);
    assert.deepEqual([status, body.result?.output.text], [202, '2a']);
  });

  it('count each branch as an execution, and fail a run that uses them up', async () => {
    const handle = 'branches';
    const branching = {
      name: 'Branches',
      entry: 'a',
      terminal: 'd',
      nodes: ['a', 'b', 'c', 'd'].map((id) =>
        step(id, { package: `${handle}/steps`, ...(id === 'd' && { join: { policy: 'all' } }) }),
      ),
      edges: [
        { from: 'a', to: 'b' },
        { from: 'a', to: 'c' },
        { from: 'b', to: 'd' },
        { from: 'c', to: 'd' },
      ],
    };
    const caller = await flows.tenant(handle, { dailyExecutions: 4 });
    const graphId = await compileFlow(caller, branching);
    const ran = await invokeFlow(caller, graphId, { input: { text: '1' } });
    assert.equal(ran.body.result.success, true, JSON.stringify(ran.body));
    const { body } = await caller.get('/invocations/v1/executions?branches=true');
    const root = ran.body.execution_id as string;
    assert.deepEqual(
      body.executions.map((one: Record<string, unknown>) => [one.lineage_root_execution_id, one.status]),
      [
        [root, 'COMPLETED'],
        [root, 'COMPLETED'],
        [null, 'COMPLETED'],
      ],
    );
    const failed = await invokeFlow(caller, graphId, { input: { text: '2' } });
    assert.equal(failed.status, 202);
    assert.match(failed.body.error_message, /daily executions quota exceeded \(cap 4\)$/);
    assert.equal((await endOf(caller, failed.body.execution_id as string)).status, 'FAILED');
  });

  it('default to 2,000 invocations and 500 executions', async () => {
    const { caller, graphId } = await prepare('defaults', {});
    await invokeFlow(caller, graphId, { input: { text: '1' } });
    const use = (usage: { invocations?: number; executions?: number }): Promise<number> =>
      flows.service.db.knex('daily_usage').where({ tenant_id: caller.tenant.id }).update(usage);
    assert.equal(await use({ executions: 499 }), 1);
    assert.equal((await invokeFlow(caller, graphId, { input: { text: '2' } })).status, 202);
    refused(await invokeFlow(caller, graphId, { input: { text: '3' } }), 'executions', 500);
    await use({ executions: 0, invocations: 1_999 });
    assert.equal((await invokeFlow(caller, graphId, { input: { text: '4' } })).status, 202);
    refused(await invokeFlow(caller, graphId, { input: { text: '5' } }), 'invocations', 2_000);
  });

  it('count direct node calls, JSON and binary, before they reach the container', async () => {
    const caller = await flows.tenant('direct', { dailyInvocations: 2 });
    const path = '/invocations/v1/nodes/direct/steps/1.0.0/Step';
    const { body: version } = await caller.get('/api/v1/packages/direct/steps/1.0.0');
    const nodes = version.nodes as { name: string; node_ulid: string }[];
    const ulid = nodes.find(({ name }) => name === 'Step')?.node_ulid;
    const binary = () => caller.post('/invocations/v1/nodes/invoke', { node_id: ulid });
    // A call that is refused before it reaches a container costs nothing.
    assert.equal((await caller.post(path, { nope: 1 })).status, 400);
    assert.equal((await caller.post('/invocations/v1/nodes/direct/steps/1.0.0/Nothing', {})).status, 404);
    assert.equal((await caller.post(path, {})).status, 200);
    assert.equal((await binary()).status, 200);
    const heard = flows.container.requests.length;
    refused(await caller.post(path, {}), 'invocations', 2);
    const { status, body } = await binary();
    assert.deepEqual(
      [status, body.success, body.error, body.message],
      [429, false, 'quota_exceeded', 'daily invocations quota exceeded (cap 2)'],
    );
    assert.equal(flows.container.requests.length, heard);
  });

  it('refuse a call when the quota cannot be counted', async () => {
    const caller = await flows.tenant('uncounted');
    const path = '/invocations/v1/nodes/uncounted/steps/1.0.0/Step';
    const { knex } = flows.service.db;
    await knex.schema.renameTable('daily_usage', 'daily_usage_away');
    const { status, headers, body } = await caller.post(path, {});
    await knex.schema.renameTable('daily_usage_away', 'daily_usage');
    assert.deepEqual(
      [status, headers.get('retry-after'), body],
      [
        503,
        '5',
        {
          error: 'quota_unavailable',
          message: 'the quota service is unavailable',
          retry_after_seconds: 5,
        },
      ],
    );
    assert.equal((await caller.post(path, {})).status, 200);
  });

  it('reset each day', async () => {
    const { caller, graphId } = await prepare('days', { dailyInvocations: 1 });
    await invokeFlow(caller, graphId, { input: { text: '1' } });
    refused(await invokeFlow(caller, graphId, { input: { text: '2' } }), 'invocations', 1);
    await flows.service.db.knex('daily_usage').where({ tenant_id: caller.tenant.id }).decrement('day', 1);
    assert.equal((await invokeFlow(caller, graphId, { input: { text: '2' } })).status, 202);
  });
});
