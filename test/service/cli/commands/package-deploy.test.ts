import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type FlowService, startFlowService } from '../../../support/flow-service.ts';
import { type Run, runInProcess } from '../../../support/run-svc.ts';
import { stepPackage } from '../../../support/step-package.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../support/temporary-folder.ts';

describe('svc package list, deploy, undeploy and delete-version', () => {
  let flows: FlowService;
  let folder: TemporaryFolder;
  before(async () => {
    flows = await startFlowService();
    folder = await temporaryFolder({});
  });
  after(async () => {
    await flows.stop();
    await folder.remove();
  });

  const svc = (...args: string[]): Promise<Run> =>
    runInProcess(['package', ...args], { SVC_BASE_URL: flows.service.url, SVC_API_KEY: flows.acme.key });
  const call = async (): Promise<number> =>
    (await flows.acme.post('/invocations/v1/nodes/acme/steps/1.0.0/Step', {})).status;

  it('lists packages, and the versions of one', async () => {
    const all = await svc('list');
    assert.match(all.stdout, /^PACKAGE +LATEST +VISIBILITY +DESCRIPTION\nacme\/steps +1\.0\.0 +public +-\n$/);
    const one = await svc('list', 'acme/steps');
    assert.match(one.stdout, /^VERSION +DEPLOYED +VERIFICATION +PUBLISHED\n1\.0\.0 +yes +\w+ +\d{4}-\S+Z\n$/);
    const whole = JSON.parse((await svc('list', 'acme/steps', '--json')).stdout) as { versions: object[] };
    assert.equal(whole.versions.length, 1);
  });

  it('names the package that does not exist', async () => {
    const unknown = await svc('list', 'acme/lost');
    assert.deepEqual(
      [unknown.code, unknown.stderr],
      [
        1,
        'svc: package "acme/lost": package not found: svc package list shows the packages that you can read\n',
      ],
    );
    const malformed = await svc('list', 'acme');
    assert.equal(malformed.code, 2);
    assert.match(malformed.stderr, /"acme" is not a package: write owner\/name/);
  });

  it('takes a version out of service, and back', async () => {
    assert.equal(await call(), 200);
    assert.deepEqual(await svc('undeploy', 'acme/steps@1.0.0'), {
      code: 0,
      stdout: '',
      stderr: 'undeployed acme/steps@1.0.0\n',
    });
    assert.equal(await call(), 404);
    const token = path.join(folder.path, 'token');
    await writeFile(token, `${'t'.repeat(32)}\n`);
    const { endpoint } = flows.container;
    const deployed = await svc('deploy', 'acme/steps@1.0.0', '--endpoint', endpoint, '--token-file', token);
    assert.equal(deployed.code, 0, deployed.stderr);
    assert.match(
      deployed.stdout,
      /^package +acme\/steps@1\.0\.0\nendpoint +grpc:\S+\ntoken +set\nverification +\w+\n$/,
    );
    assert.equal(await call(), 200);
  });

  it('deletes a version that nothing refers to, and says why it keeps another', async () => {
    const published = await flows.acme.post('/api/v1/packages', stepPackage({ version: '1.0.0-mistake' }));
    assert.equal(published.status, 201);
    assert.deepEqual(await svc('delete-version', 'acme/steps@1.0.0-mistake'), {
      code: 0,
      stdout: '',
      stderr: 'deleted acme/steps@1.0.0-mistake\n',
    });
    const again = await svc('delete-version', 'acme/steps@1.0.0-mistake');
    assert.equal(again.code, 1);
    assert.match(again.stderr, /package version not found: svc package list acme\/steps shows its versions/);
    const kept = await svc('delete-version', 'acme/steps@1.0.0');
    assert.equal(kept.code, 1);
    assert.match(kept.stderr, /acme\/steps 1\.0\.0 is deployed: undeploy it before you delete it/);
    assert.equal((await svc('delete-version', 'acme/steps')).code, 2);
  });

  it('names what it cannot deploy', async () => {
    const { endpoint } = flows.container;
    const unknown = await svc('deploy', 'acme/steps@9.0.0', '--endpoint', endpoint);
    assert.deepEqual(
      [unknown.code, unknown.stderr],
      [
        1,
        'svc: acme/steps@9.0.0: package version not found: svc package list acme/steps shows its versions\n',
      ],
    );
    const wrong = await svc('deploy', 'acme/steps@1.0.0', '--endpoint', 'localhost:1');
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /^svc: endpoint "localhost:1" does not have the form grpc:\/\/host:port/);
    assert.equal((await svc('undeploy', 'acme/lost@1.0.0')).code, 1);
    for (const args of [
      ['deploy', 'acme/steps', '--endpoint', endpoint],
      ['undeploy', 'acme/steps/1.0.0'],
    ]) {
      const malformed = await svc(...args);
      assert.equal(malformed.code, 2);
      assert.match(malformed.stderr, /is not a package version: write owner\/name@version/);
    }
  });
});
