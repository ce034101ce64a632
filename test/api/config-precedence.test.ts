import assert from 'node:assert/strict';
import { LargeNumber } from '../../specs/large-number.ts';
import { endOf } from '../support/execution-records.ts';
import { type FlowService, startFlowService } from '../support/flow-service.ts';
import { eachService } from '../support/running-service.ts';
import { runInProcess } from '../support/run-svc.ts';
import { step, twoSteps } from '../support/step-package.ts';

// docs/flows.md, "Config profiles".
eachService('the settings of a node', (start) => {
  let flows: FlowService;
  let graphId: string;
  let bareId: string;
  before(async () => {
    flows = await startFlowService(start);
    const one = { terminal: 'a', edges: [] };
    graphId = await flows.compile(
      twoSteps({
        ...one,
        nodes: [step('a', { config: { of: 'node', node: 'yes' } })],
        config_profiles: { named: { of: 'flow named' }, default: { of: 'flow default' } },
      }),
    );
    bareId = await flows.compile(twoSteps({ ...one, nodes: [step('a')] }));
  });
  after(() => flows.stop());
  beforeEach(async () => {
    for (const id of ['named', 'default']) await flows.acme.delete(`/api/v1/configs/${id}`);
  });

  /** As an operator does it. */
  const tenantProfile = async (id: string, of: string): Promise<void> => {
    const env = { SVC_BASE_URL: flows.service.url, SVC_API_KEY: flows.acme.key };
    const { code, stderr } = await runInProcess(['config', 'set', id, JSON.stringify({ of })], env);
    assert.equal(code, 0, stderr);
  };
  const lastConfig = (): unknown => JSON.parse(flows.container.requests.at(-1)?.context?.configJson ?? '');
  let runs = 0;
  /** Returns the config that the node received, and the id of the run. */
  const run = async (id: string, config_id?: string): Promise<{ config: unknown; executionId: string }> => {
    const named = config_id === undefined ? {} : { config_id };
    const { status, body } = await flows.invoke(id, { ...named, idempotency_key: String((runs += 1)) });
    assert.equal(status, 202, JSON.stringify(body));
    return { config: lastConfig(), executionId: body.execution_id as string };
  };
  const configOf = async (id: string, config_id?: string): Promise<unknown> =>
    (await run(id, config_id)).config;

  it('come from the named profile of the flow before that of the tenant', async () => {
    await tenantProfile('named', 'tenant named');
    await tenantProfile('default', 'tenant default');
    assert.deepEqual(await configOf(graphId, 'named'), { of: 'flow named', node: 'yes' });
    assert.deepEqual(await configOf(bareId, 'named'), { of: 'tenant named' });
  });

  it('come from the default profile of the tenant before that of the flow if none is named', async () => {
    assert.deepEqual(await configOf(bareId), {});
    assert.deepEqual(await configOf(graphId), { of: 'flow default', node: 'yes' });
    await tenantProfile('default', 'tenant default');
    assert.deepEqual(await configOf(graphId), { of: 'tenant default', node: 'yes' });
    assert.deepEqual(await configOf(bareId), { of: 'tenant default' });
  });

  it('come from the default profile of the flow first if it is named explicitly', async () => {
    await tenantProfile('default', 'tenant default');
    assert.deepEqual(await configOf(graphId, 'default'), { of: 'flow default', node: 'yes' });
    assert.deepEqual(await configOf(bareId, 'default'), { of: 'tenant default' });
  });

  it('preserve every digit of large numbers', async () => {
    const put = (text: string) => flows.acme.put('/api/v1/configs/default', text);
    assert.equal((await put('{"tenant":9007199254740993}')).status, 200);
    const config = { node: new LargeNumber('-9007199254740993') };
    const id = await flows.compile(twoSteps({ terminal: 'a', edges: [], nodes: [step('a', { config })] }));
    await configOf(id);
    assert.equal(
      flows.container.requests.at(-1)?.context?.configJson,
      '{"node":-9007199254740993,"tenant":9007199254740993}',
    );
  });

  it("come from the parent's profile in a fork that names none", async () => {
    await tenantProfile('default', 'tenant default');
    const parent = await run(graphId, 'named');
    await endOf(flows.acme, parent.executionId);
    const fork = `/invocations/v1/executions/${parent.executionId}/fork`;
    for (const [body, of] of [
      [{}, 'flow named'],
      [{ config_id: 'default' }, 'flow default'],
    ] as const) {
      const { status, body: forked } = await flows.acme.post(fork, { ...body, wait: true });
      assert.equal(status, 202, JSON.stringify(forked));
      assert.deepEqual(lastConfig(), { of, node: 'yes' });
    }
  });
});
