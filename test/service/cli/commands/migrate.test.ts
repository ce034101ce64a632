import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { postgresOptions, sqliteOptions } from '../../../support/databases.ts';
import { type Run, runSvc } from '../../../support/run-svc.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

suiteNeeds('processes', 'svc migrate', () => {
  it('has nothing to do on SQLite, which is migrated when opened', async () => {
    const { dataDir } = await sqliteOptions();
    const env = { SVC_DATA_DIR: dataDir };
    const { code, stdout, stderr } = await runSvc(['migrate'], { env });
    assert.deepEqual([code, stdout, stderr], [0, '', 'the database is up to date\n']);
    assert.equal((await runSvc(['migrate', '--json'], { env })).stdout, '{\n  "applied": []\n}\n');
    await rm(dataDir, { recursive: true });
  });

  suiteNeeds('postgres', 'on PostgreSQL', function () {
    this.timeout(180_000);

    it('is required before other commands', async () => {
      const { url, dataDir } = await postgresOptions();
      const env = { SVC_DATA_DIR: dataDir, SVC_DATABASE_URL: url! };
      const run = (...args: string[]): Promise<Run> => runSvc(args, { env });
      const refused = await run('tenant', 'create', 'acme');
      assert.deepEqual([refused.code, refused.stdout], [1, '']);
      assert.equal(refused.stderr, 'svc: the database has no tables of svc yet: run svc migrate\n');
      const migrated = await run('migrate');
      assert.equal(migrated.code, 0);
      assert.match(migrated.stdout, /^0001-tenants-and-keys\n0002-/);
      assert.equal((await run('migrate')).stderr, 'the database is up to date\n');
      assert.equal((await run('tenant', 'create', 'acme')).code, 0);
      await rm(dataDir, { recursive: true });
    });
  });
});
