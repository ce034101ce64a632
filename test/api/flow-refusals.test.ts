import assert from 'node:assert/strict';
import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { endOf } from '../support/execution-records.ts';
import { compileFlow, type FlowService, invokeFlow, startFlowService } from '../support/flow-service.ts';
import type { Answer, Caller } from '../support/running-service.ts';
import { step, twoSteps } from '../support/step-package.ts';

describe('a refused invocation', () => {
  let flows: FlowService;
  let acme: Caller;
  before(async () => {
    flows = await startFlowService();
    acme = flows.acme;
  });
  after(() => flows.stop());

  it('gets 503 if its input cannot be stored, and succeeds when it is retried', async () => {
    const graphId = await flows.compile(twoSteps());
    const large = { input: { text: 'x'.repeat(100_000) }, idempotency_key: 'stored' };
    const folder = path.join(flows.service.config.dataDir, 'blobs');
    await rm(folder, { recursive: true });
    await writeFile(folder, 'in the way');
    const refused = await flows.invoke(graphId, large);
    await rm(folder);
    assertUnavailable(refused, {
      error: 'blob_storage_unavailable',
      message: 'the input could not be stored',
    });
    const { status, body } = await flows.invoke(graphId, large);
    assert.deepEqual([status, body.result.success], [202, true]);
    assert.equal((await endOf(acme, body.execution_id as string)).status, 'COMPLETED');
  });

  it('leaves no large input behind, even when it is repeated', async () => {
    const kept = () => readdir(path.join(flows.service.config.dataDir, 'blobs', capped.tenant.id));
    const capped = await flows.tenant('capped', { dailyInvocations: 1 });
    const own = (id: string) => step(id, { package: 'capped/steps' });
    const graphId = await compileFlow(capped, twoSteps({ nodes: [own('a'), own('b')] }));
    const large = { input: { text: 'x'.repeat(100_000) } };
    const { body } = await invokeFlow(capped, graphId, large);
    const repeated = await invokeFlow(capped, graphId, large);
    assert.equal(repeated.body.execution_id, body.execution_id);
    const refused = await invokeFlow(capped, graphId, { input: { text: 'y'.repeat(100_000) } });
    assert.deepEqual([refused.status, refused.body.error], [429, 'quota_exceeded']);
    assert.deepEqual(await kept(), [body.execution_id]);
  });

  it('gets 503 if it cannot be queued, and succeeds with the same key when it is retried', async () => {
    const { knex } = flows.service.db;
    const graphId = await flows.compile(twoSteps());
    const request = { input: { text: 'q' }, idempotency_key: 'queued' };
    await knex.schema.renameTable('journal', 'journal_away');
    const refused = await flows.invoke(graphId, request);
    await knex.schema.renameTable('journal_away', 'journal');
    assertUnavailable(refused, { error: 'upstream_unavailable', message: 'the flow could not be queued' });
    const { body } = await flows.invoke(graphId, request);
    assert.equal(body.result.success, true);
  });
});

/** A 503 with the time of the next attempt in its header and its body. */
function assertUnavailable(answer: Answer, said: { error: string; message: string }): void {
  assert.deepEqual(
    [answer.status, answer.headers.get('retry-after'), answer.body],
    [503, '5', { ...said, retry_after_seconds: 5 }],
  );
}
