import assert from 'node:assert/strict';
import { type Caller, eachService, type RunningService } from '../support/running-service.ts';
import { publishSteps, step, twoSteps } from '../support/step-package.ts';

eachService('a flow as a member of a client', (start) => {
  let service: RunningService;
  let acme: Caller;
  let members: string;
  let artifactId: string;
  before(async () => {
    service = await start();
    acme = await service.tenant('acme');
    await publishSteps(acme);
    const compiled = await acme.post('/api/v1/graphs/compile', twoSteps());
    artifactId = compiled.body.graph_artifact_id;
    const client = await acme.post('/api/v1/clients', { name: 'Runs' });
    members = `/api/v1/clients/${client.body.id}/members`;
  });
  after(() => service.stop());

  it('is pinned to its artifact and named after the flow', async () => {
    const { status, body } = await acme.post(members, { type: 'flow', artifact_id: artifactId });
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual(
      [body.member_type, body.alias, body.artifact_id, body.package_name],
      ['flow', 'Two steps', artifactId, undefined],
    );
  });

  it('causes a warning when a node of the client has another version of the same package', async () => {
    await publishSteps(acme, { version: '0.9.0' });
    const client = await acme.post('/api/v1/clients', { name: 'Two versions' });
    const at = `/api/v1/clients/${client.body.id}/members`;
    const node = { type: 'node', package: 'acme/steps', version: '0.9.0', node_name: 'Step' };
    assert.deepEqual((await acme.post(at, node)).body.warnings, []);
    const added = await acme.post(at, { type: 'flow', artifact_id: artifactId });
    assert.deepEqual(added.body.warnings, [
      '"Two steps" uses acme/steps@1.0.0, but "Step" uses acme/steps@0.9.0: an SDK gives the messages of two versions ' +
        'different names, so move all members to one version before you build',
    ]);
  });

  it('must not have mocks, whether added or set', async () => {
    const mocked = twoSteps({ name: 'Mocked', nodes: [step('a', { mock: { output: {} } }), step('b')] });
    const { body: compiled } = await acme.post('/api/v1/graphs/compile', mocked);
    const member = { type: 'flow', artifact_id: compiled.graph_artifact_id as string };
    const refused = [400, { error: 'mocked artifacts cannot be published: compile the flow without mocks' }];
    const added = await acme.post(members, member);
    assert.deepEqual([added.status, added.body], refused);
    const set = await acme.put(members, { members: [member] });
    assert.deepEqual([set.status, set.body], refused);
  });

  it('must be an artifact of the tenant', async () => {
    const absent = await acme.post(members, { type: 'flow' });
    assert.deepEqual(
      [absent.status, absent.body],
      [400, { error: 'artifact_id is required for a flow member' }],
    );
    const unknown = await acme.post(members, { type: 'flow', artifact_id: 'no-such-flow' });
    assert.deepEqual([unknown.status, unknown.body], [404, { error: 'flow not found' }]);
    const rival = await service.tenant('rival');
    const client = await rival.post('/api/v1/clients', { name: 'Runs' });
    const foreign = await rival.post(`/api/v1/clients/${client.body.id}/members`, {
      type: 'flow',
      artifact_id: artifactId,
    });
    assert.deepEqual([foreign.status, foreign.body], [404, { error: 'flow not found' }]);
  });
});
