import assert from 'node:assert/strict';
import { readPackageFolder } from '../../../../service/nodes/package-folder.ts';
import { runApproval } from '../../../../service/cli/demo/demo-approval.ts';
import { compileFlow } from '../../../../service/cli/demo/demo-flow.ts';
import {
  type FixtureContainer,
  fixturePackageFolder,
  startFixtureContainer,
} from '../../../support/fixture-containers.ts';
import { type Caller, type RunningService, startService } from '../../../support/running-service.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

const flows = new URL('../../../../fixtures/flows/', import.meta.url).pathname;

suiteNeeds('processes', 'the approval of the demo', function () {
  this.timeout(60_000);
  let service: RunningService;
  let acme: Caller;
  let container: FixtureContainer;
  before(async () => {
    service = await startService();
    acme = await service.tenant('acme');
    container = await startFixtureContainer('acme-orders');
    const folder = await readPackageFolder(fixturePackageFolder('acme-orders'));
    const answer = await acme.post('/api/v1/packages', { ...folder, endpoint: container.endpoint });
    assert.equal(answer.status, 201);
  });
  after(async () => {
    await service.stop();
    await container.stop();
  });

  it('waits for a decision from another process', async () => {
    const target = { url: service.url, key: acme.key };
    const { graphId } = await compileFlow(target, `${flows}approve-order.yaml`);
    const { question, output } = await runApproval(target, graphId);
    assert.match(question, /^Approve order BOOK-1 over [\d.,]+\?$/);
    assert.deepEqual(JSON.parse(output), {
      orderId: 'BOOK-1',
      approved: true,
      approvedBy: 'ann@example.com',
      comment: 'for the library',
    });
    const answer = await acme.get('/invocations/v1/pauses');
    const list = answer.body as { pauses: { status: string; resumed_by: string }[] };
    assert.deepEqual(
      list.pauses.map((one) => [one.status, one.resumed_by]),
      [['RESUMED', 'ann@example.com']],
    );
  });

  it('fails for a flow that does not ask for a decision', async () => {
    const target = { url: service.url, key: acme.key };
    const { graphId } = await compileFlow(target, `${flows}mocked-price.yaml`);
    await assert.rejects(runApproval(target, graphId), /the run did not ask for a decision/);
  });
});
