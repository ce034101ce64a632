import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { approval, askHuman, pausedRun } from '../support/asking-flow.ts';
import { migratedPostgresOptions } from '../support/databases.ts';
import { type FlowService, startFlowService } from '../support/flow-service.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { suiteNeeds } from '../support/toolchains.ts';

suiteNeeds('postgres', 'a decision sent to two replicas concurrently', function () {
  this.timeout(180_000);

  let dataDir: string;
  let flows: FlowService;
  let other: RunningService;
  before(async () => {
    const options = await migratedPostgresOptions();
    ({ dataDir } = options);
    const env = { SVC_DATABASE_URL: options.url ?? '', SVC_DATA_DIR: dataDir };
    flows = await startFlowService(() => startService(env));
    other = await startService(env);
    askHuman(flows);
  });
  after(async () => {
    await other.stop();
    await flows.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('is accepted once, and replayed once for its idempotency key', async () => {
    const { acme } = flows;
    const graph = await flows.compile(approval);
    const callers = [acme, other.withKey(acme.tenant, acme.key)];
    for (let round = 0; round < 20; round += 1) {
      const { executionId, pauseId } = await pausedRun(acme, graph);
      const body = { pause_id: pauseId, value: { text: 'go' } };
      const answers = await Promise.all(
        callers.map((caller) =>
          caller.post(`/invocations/v1/flows/${executionId}/resume`, body, { 'idempotency-key': 'k' }),
        ),
      );
      for (const { status, body: outcome } of answers) {
        assert.deepEqual([status, (outcome as { already_resumed: unknown }).already_resumed], [200, false]);
      }
      const repeated = answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true');
      assert.equal(repeated.length, 1, `round ${round}`);
    }
  });
});
