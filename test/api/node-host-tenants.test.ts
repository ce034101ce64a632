import assert from 'node:assert/strict';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { stepPackage } from '../support/step-package.ts';

describe("the ports of another tenant's containers", () => {
  let service: RunningService;
  let globex: Caller;
  before(async () => {
    service = await startService({ SVC_NODE_HOSTS: 'acme=127.0.0.1:1-10,globex=127.0.0.1:11-20' });
    await service.tenant('acme');
    globex = await service.tenant('globex');
  });
  after(() => service.stop());

  const publish = (endpoint: string, version = '1.0.0') =>
    globex.post('/api/v1/packages', stepPackage({ name: 'globex/steps', version, endpoint }));

  it('cannot be published or deployed to, in any notation of the address', async () => {
    assert.equal((await publish('grpc://127.0.0.1:11')).status, 201);
    for (const endpoint of [
      'grpc://127.0.0.1:1',
      'grpcs://127.0.0.1:10',
      'GRPC://127.0.0.1.:5',
      'grpc://127.0.0.1:00005',
      'grpc://2130706433:5',
      'grpc://127.1:5',
      'grpc://[::ffff:127.0.0.1]:5',
      'grpc://[::1]:5',
      'grpc://localhost:5',
    ]) {
      const published = await publish(endpoint, '2.0.0');
      assert.equal(published.status, 400, endpoint);
      assert.doesNotMatch(JSON.stringify(published.body), /acme|1-10/, 'names no entry of another tenant');
      const deployed = await globex.put('/api/v1/packages/globex/steps/1.0.0/deployment', { endpoint });
      assert.equal(deployed.status, 400, endpoint);
    }
  });
});
