import assert from 'node:assert/strict';
import { once } from 'node:events';
import { findExecution } from '../../service/store/executions.ts';
import { openDatabase } from '../../service/store/open-database.ts';
import { listTenants } from '../../service/store/tenants.ts';
import { runSvc } from '../support/run-svc.ts';
import { type ScriptedContainer, startScriptedContainer } from '../support/scripted-container.ts';
import { type ServeProcess, startServeProcess } from '../support/serve-process.ts';
import { stepPackage } from '../support/step-package.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { until } from '../support/until.ts';

const path = '/invocations/v1/nodes/acme/steps/1.0.0/Step';
const cutOff = 'calling node: the service was stopped before the node answered';

suiteNeeds('processes', 'direct calls that outlast SIGTERM', function () {
  this.timeout(120_000);
  let folder: TemporaryFolder;
  let container: ScriptedContainer;
  let service: ServeProcess;
  let key: string;
  before(async () => {
    folder = await temporaryFolder({});
    // It never answers.
    container = await startScriptedContainer(() => undefined, { way: 'Session' });
    service = await startServeProcess({ SVC_DATA_DIR: folder.path });
    await svcOn('tenant', 'create', 'acme');
    key = (await svcOn('key', 'create', '--tenant', 'acme')).trim();
    await send('POST', '/api/v1/packages', stepPackage({ endpoint: container.endpoint }));
  });
  after(async () => {
    await service.kill();
    container.kill();
    await folder.remove();
  });

  const svcOn = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runSvc(args, { env: { SVC_DATA_DIR: folder.path } });
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const send = async (
    method: string,
    route: string,
    body: unknown,
  ): Promise<{ status: number; body: unknown }> => {
    const response = await fetch(`${service.url}${route}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };

  it('are answered and recorded as failed before the process exits', async () => {
    const calls = [send('POST', path, {}), send('POST', path, { text: 'b' })];
    await until(() => container.requests.length === 2);
    const ids = container.requests.map(({ context }) => context?.executionId ?? '');
    const exited = once(service.child, 'exit') as Promise<[number | null]>;
    service.child.kill('SIGTERM');
    const answers = await Promise.all(calls);
    assert.deepEqual(
      answers.map(({ status, body }) => [status, (body as { error_message: string }).error_message]),
      [
        [502, cutOff],
        [502, cutOff],
      ],
    );
    const [code] = await exited;
    assert.equal(code, 0);
    const db = await openDatabase({ dataDir: folder.path });
    try {
      const [tenant] = await listTenants(db.knex);
      for (const id of ids) {
        const record = await findExecution(db, tenant?.id ?? '', id);
        assert.deepEqual([record?.status, record?.errorMessage], ['FAILED', cutOff]);
        assert.notEqual(record?.completedAt, null);
      }
    } finally {
      await db.close();
    }
  });
});
