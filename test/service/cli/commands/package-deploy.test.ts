import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type FlowService, startFlowService } from '../../../support/flow-service.ts';
import { type Run, runInProcess } from '../../../support/run-svc.ts';
import { stepPackage, twoSteps } from '../../../support/step-package.ts';
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
    assert.match(
      one.stdout,
      /^VERSION +DEPLOYED +VERIFICATION +ENDPOINT +PUBLISHED\n1\.0\.0 +yes +\w+ +grpc:\S+ +\d{4}-\S+Z\n$/,
    );
    const whole = JSON.parse((await svc('list', 'acme/steps', '--json')).stdout) as { versions: object[] };
    assert.equal(whole.versions.length, 1);
  });

  it('reports an unknown package', async () => {
    const unknown = await svc('list', 'acme/lost');
    assert.deepEqual(
      [unknown.code, unknown.stderr],
      [
        1,
        'svc: package "acme/lost": package not found: run svc package list to see the packages that you can read\n',
      ],
    );
    const malformed = await svc('list', 'acme');
    assert.equal(malformed.code, 2);
    assert.match(malformed.stderr, /"acme" is not a package: write owner\/name/);
  });

  it('undeploys and redeploys a version', async () => {
    assert.equal(await call(), 200);
    assert.deepEqual(await svc('undeploy', 'acme/steps@1.0.0', '--dry-run'), {
      code: 0,
      stdout: 'KIND  USED BY\n',
      stderr: 'nothing uses acme/steps@1.0.0\n',
    });
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

  it('deletes an unused version, and explains why it keeps a deployed one', async () => {
    const published = await flows.acme.post('/api/v1/packages', stepPackage({ version: '1.0.0-mistake' }));
    assert.equal(published.status, 201);
    assert.deepEqual(await svc('delete-version', 'acme/steps@1.0.0-mistake'), {
      code: 0,
      stdout: '',
      stderr: 'deleted acme/steps@1.0.0-mistake\n',
    });
    const again = await svc('delete-version', 'acme/steps@1.0.0-mistake');
    assert.equal(again.code, 1);
    assert.match(
      again.stderr,
      /package version not found: run svc package list acme\/steps to see its versions/,
    );
    const kept = await svc('delete-version', 'acme/steps@1.0.0');
    assert.equal(kept.code, 1);
    assert.match(kept.stderr, /acme\/steps 1\.0\.0 is deployed: undeploy it before you delete it/);
    assert.equal((await svc('delete-version', 'acme/steps')).code, 2);
  });

  it('reports what uses a version before undeploying it', async () => {
    const { acme, service, container } = flows;
    const other = await service.tenant('other');
    const graphId = await flows.compile(twoSteps({ name: 'Desk' }));
    const theirs = await other.post('/api/v1/graphs/compile', twoSteps({ name: 'Their secret' }));
    assert.equal(theirs.status, 201);
    const made = await acme.post('/api/v1/clients', { name: 'Till' });
    const client = made.body as { id: string };
    const member = { type: 'node', package: 'acme/steps', version: '1.0.0', node_name: 'Step' };
    assert.equal((await acme.post(`/api/v1/clients/${client.id}/members`, member)).status, 201);
    const asked = await svc('undeploy', 'acme/steps@1.0.0', '--dry-run');
    assert.deepEqual([asked.code, asked.stderr], [0, '']);
    assert.equal(
      asked.stdout,
      'KIND           USED BY\n' +
        `flow           Desk (${graphId})\n` +
        'flow           1 of other tenants\n' +
        'client member  Till/Step\n',
    );
    const whole = JSON.parse(
      (await svc('undeploy', 'acme/steps@1.0.0', '--dry-run', '--json')).stdout,
    ) as object[];
    assert.deepEqual(whole[0], { kind: 'flow', own: 1, others: 1, names: [`Desk (${graphId})`] });
    assert.equal(await call(), 200);

    const foreign = await runInProcess(['package', 'undeploy', 'acme/steps@1.0.0'], {
      SVC_BASE_URL: service.url,
      SVC_API_KEY: other.key,
    });
    assert.deepEqual(
      [foreign.code, foreign.stderr],
      [1, 'svc: acme/steps@1.0.0 belongs to another tenant, and only that one can undeploy it\n'],
    );
    const kept = await svc('delete-version', 'acme/steps@1.0.0');
    assert.equal(
      kept.stderr,
      'svc: acme/steps 1.0.0 is deployed: undeploy it before you delete it; it is also in use: ' +
        `1 flow Desk (${graphId}) and 1 flow of other tenants (flows are kept, so the version stays); ` +
        '1 client member Till/Step (remove the members first)\n',
    );
    assert.equal(
      (await svc('undeploy', 'acme/steps@1.0.0')).stderr,
      [
        `warning: calls of acme/steps@1.0.0 fail from now on: it is in use by 1 flow Desk (${graphId}) and 1 flow of other tenants; 1 client member Till/Step\n`,
        'undeployed acme/steps@1.0.0\n',
      ].join(''),
    );
    assert.equal(await call(), 404);
    assert.equal((await svc('deploy', 'acme/steps@1.0.0', '--endpoint', container.endpoint)).code, 0);
  });

  it('undeploys with a key that cannot read, and warns that it is unknown what uses the version', async () => {
    const writer = await flows.service.tenant('writer', { scopes: ['write'] });
    assert.equal((await writer.post('/api/v1/packages', stepPackage({ name: 'writer/steps' }))).status, 201);
    const env = { SVC_BASE_URL: flows.service.url, SVC_API_KEY: writer.key };
    const args = ['package', 'undeploy', 'writer/steps@1.0.0'];
    assert.deepEqual(await runInProcess(args, env), {
      code: 0,
      stdout: '',
      stderr:
        'warning: calls of writer/steps@1.0.0 fail from now on: what uses it is not known, because the key lacks the scope read\n' +
        'undeployed writer/steps@1.0.0\n',
    });
    assert.match((await runInProcess([...args, '--dry-run'], env)).stderr, /token lacks 'read' scope/);
  });

  it('warns about an unreachable container, and explains how to go back', async () => {
    const { endpoint } = flows.container;
    await svc('deploy', 'acme/steps@1.0.0', '--endpoint', endpoint);
    const dead = await svc('deploy', 'acme/steps@1.0.0', '--endpoint', 'grpc://127.0.0.1:1');
    assert.equal(dead.code, 0);
    assert.equal(
      dead.stderr,
      'warning: the container at grpc://127.0.0.1:1 could not be verified (could not connect to node): ' +
        'calls fail until one that serves the version answers there\n' +
        `warning: it replaces the deployment at ${endpoint}: to go back, deploy the version there again\n` +
        'deployed acme/steps@1.0.0\n',
    );
    const back = await svc('deploy', 'acme/steps@1.0.0', '--endpoint', endpoint);
    assert.deepEqual([back.code, back.stderr], [0, 'deployed acme/steps@1.0.0\n']);
  });

  it('reports unknown versions, invalid endpoints and malformed arguments', async () => {
    const { endpoint } = flows.container;
    const unknown = await svc('deploy', 'acme/steps@9.0.0', '--endpoint', endpoint);
    assert.deepEqual(
      [unknown.code, unknown.stderr],
      [
        1,
        'svc: acme/steps@9.0.0: package version not found: run svc package list acme/steps to see its versions\n',
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
