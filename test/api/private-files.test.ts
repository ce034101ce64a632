import assert from 'node:assert/strict';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sqliteOptions } from '../support/databases.ts';
import { itSlow } from '../support/fast-run.ts';
import { type FlowService, startFlowService } from '../support/flow-service.ts';
import { startService } from '../support/running-service.ts';
import { twoSteps } from '../support/step-package.ts';

/** With 000 files are readable by all; with 0277 and 0777 their owner lacks permissions. */
for (const umask of [0o000, 0o277, 0o777]) {
  describe(`the files of a service with the umask ${umask.toString(8).padStart(3, '0')}`, function () {
    this.timeout(120_000);
    let before: number;
    let flows: FlowService;
    beforeEach(async function () {
      // Other programs, such as buf, need a umask that leaves them their own files; root can do without.
      if (umask !== 0 && process.getuid?.() !== 0) this.skip();
      before = process.umask(umask);
      // Empty, so that the service also creates the database.
      const { dataDir } = await sqliteOptions();
      flows = await startFlowService(() => startService({ SVC_DATA_DIR: dataDir }));
    });
    afterEach(async () => {
      await flows.stop();
      await rm(flows.service.config.dataDir, { recursive: true });
      process.umask(before);
    });

    itSlow('are private, including large messages, secrets and archives', async () => {
      const { acme, service } = flows;
      const graphId = await flows.compile(twoSteps());
      const run = await flows.invoke(graphId, { input: { text: 'long'.repeat(100_000) } });
      assert.equal(run.body.result?.success, true);
      const client = await acme.post('/api/v1/clients', { name: 'Steps' });
      const member = { type: 'node', package: 'acme/steps', node_name: 'Step' };
      assert.equal((await acme.post(`/api/v1/clients/${client.body.id}/members`, member)).status, 201);
      const build = await acme.post(`/api/v1/clients/${client.body.id}/build`, { languages: ['python'] });
      assert.equal(build.status, 202, JSON.stringify(build.body));
      const version = `/api/v1/clients/${client.body.id}/versions/1?language=python`;
      for (;;) {
        const { status } = (await acme.get(version)).body as { status: string };
        if (status !== 'pending') {
          assert.equal(status, 'succeeded');
          break;
        }
        await pause(50);
      }

      const found = new Map<string, string>();
      const { dataDir } = service.config;
      // The service periodically writes and deletes a file to check its storage.
      const lasting = (await readdir(dataDir, { recursive: true })).filter(
        (name) => !name.includes('.probe-'),
      );
      // The test made the data folder itself, with its umask.
      assert.equal((await stat(dataDir)).mode & 0o077, 0);
      for (const name of lasting) {
        const entry = await stat(path.join(dataDir, name));
        const mode = (entry.mode & 0o777).toString(8);
        assert.equal(mode, entry.isDirectory() ? '700' : '600', name);
        found.set(name, mode);
      }
      const names = [...found.keys()];
      for (const part of [
        /^svc\.db-wal$/,
        /^svc\.db-shm$/,
        /^secret\.key$/,
        /^blobs\/.*\/[0-9a-f]{64}$/,
        /\.zip$/,
      ]) {
        assert.ok(
          names.some((name) => part.test(name)),
          `${String(part)} is not among ${names.join(', ')}`,
        );
      }
    });
  });
}
