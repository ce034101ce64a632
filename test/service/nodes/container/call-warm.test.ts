import assert from 'node:assert/strict';
import { status } from '@grpc/grpc-js';
import {
  type ContainerPool,
  createContainerPool,
} from '../../../../service/nodes/container/container-pool.ts';
import { within } from '../../../support/node-invocation.ts';
import { type ScriptedContainer, startScriptedContainer } from '../../../support/scripted-container.ts';
import { until } from '../../../support/until.ts';

describe('a warm call', () => {
  let pool: ContainerPool;
  let container: ScriptedContainer;
  beforeEach(() => {
    pool = createContainerPool({ allowedHosts: [{ host: '127.0.0.1' }] });
  });
  afterEach(() => {
    pool.close();
    container.kill();
  });

  const call = { tenantId: 'acme', nodes: ['One', 'Two'] };
  const serve = async (warm?: status | 'never'): Promise<string> => {
    container = await startScriptedContainer(() => undefined, warm === undefined ? {} : { warm });
    return container.endpoint;
  };

  it('names the tenant and the nodes', async () => {
    assert.deepEqual(await pool.warm(await serve(status.OK), call, within(30_000)), { kind: 'warm' });
    assert.deepEqual(
      container.warmed.map(({ tenantId, nodes }) => ({ tenantId, nodes })),
      [call],
    );
  });

  it('reports a container that does not implement it', async () => {
    assert.deepEqual(await pool.warm(await serve(), call, within(30_000)), { kind: 'not_offered' });
  });

  it('fails if the container fails or is unreachable, its host is not allowed, or the pool is closed', async () => {
    const endpoint = await serve(status.RESOURCE_EXHAUSTED);
    assert.deepEqual(await pool.warm(endpoint, call, within(30_000)), {
      kind: 'failed',
      message: 'RESOURCE_EXHAUSTED: as the test says',
    });
    const elsewhere = await pool.warm('grpc://elsewhere:1', call, within(30_000));
    assert.ok(elsewhere.kind === 'failed' && elsewhere.message.includes('SVC_NODE_HOSTS'));
    const away = await pool.warm('grpc://127.0.0.1:1', call, within(30_000));
    assert.ok(away.kind === 'failed' && away.message.startsWith('UNAVAILABLE'), JSON.stringify(away));
    pool.close();
    assert.equal((await pool.warm(endpoint, call, within(30_000))).kind, 'failed');
  });

  it('ends at its deadline and on cancellation', async () => {
    const endpoint = await serve('never');
    const leaving = new AbortController();
    const cancelled = pool.warm(endpoint, call, { ...within(60_000), signal: leaving.signal });
    await until(() => container.warmed.length === 1);
    leaving.abort();
    const outcome = await cancelled;
    assert.ok(outcome.kind === 'failed' && outcome.message.startsWith('CANCELLED'), JSON.stringify(outcome));
    // The connection is open, so connecting does not use up the time limit.
    const late = await pool.warm(endpoint, call, within(200));
    assert.ok(late.kind === 'failed' && late.message.startsWith('DEADLINE_EXCEEDED'), JSON.stringify(late));
  });
});
