import assert from 'node:assert/strict';
import { openDatabase } from '../../../service/store/open-database.ts';
import { postgresServer } from '../../support/postgres-server.ts';
import { runInProcess } from '../../support/run-svc.ts';
import { suiteNeeds } from '../../support/toolchains.ts';

suiteNeeds('postgres', 'a command whose database user lacks a privilege', function () {
  // The first suite of the process waits for the server to start.
  this.timeout(300_000);

  it('reports it in one sentence', async () => {
    const url = new URL(await (await postgresServer()).createDatabase());
    const db = await openDatabase({ url: url.href, dataDir: '' });
    await db.knex.raw("create role reader login password 'reader'");
    await db.close();
    url.username = 'reader';
    url.password = 'reader';
    const { code, stderr } = await runInProcess(['migrate'], { SVC_DATABASE_URL: url.href });
    assert.equal(code, 1);
    assert.equal(
      stderr,
      'svc: the user of SVC_DATABASE_URL lacks a privilege: make it the owner of the database (permission denied for schema public)\n',
    );
  });
});
