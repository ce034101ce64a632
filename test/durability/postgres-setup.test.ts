import assert from 'node:assert/strict';
import path from 'node:path';
import { readPage } from '../docs/page.ts';
import { startBash } from '../support/bash-session.ts';
import { startInstalledPostgres } from '../support/installed-postgres.ts';
import { startServeProcess } from '../support/serve-process.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { suiteNeeds } from '../support/toolchains.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');

suiteNeeds('postgres-tools', 'a new PostgreSQL, set up by the commands of docs/operating.md', function () {
  this.timeout(180_000);

  let server: Awaited<ReturnType<typeof startInstalledPostgres>>;
  let folder: TemporaryFolder;
  before(async () => {
    server = await startInstalledPostgres();
    folder = await temporaryFolder({});
  });
  after(async () => {
    server.stop();
    await folder.remove();
  });

  it('runs the service as the role that owns the database', async () => {
    const { blocks } = await readPage('docs/operating.md');
    const block = blocks.find(({ content }) => content.includes('create role svc'))?.content ?? '';
    const lines = block.trim().split('\n');
    assert.equal(lines.pop(), 'npx svc serve', 'the test starts the service itself');
    const { bin, port, superuser } = server;
    const postgres = { PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: superuser };
    const env = {
      ...process.env,
      ...postgres,
      PATH: `${bin}:${process.env.PATH}`,
      SVC_DATA_DIR: folder.path,
    };
    const bash = startBash({ cwd: projectRoot, env });
    try {
      await bash.run(
        lines.join('\n').replaceAll('<password>', 'swordfish').replace('127.0.0.1:5432', `127.0.0.1:${port}`),
      );
      const url = await bash.run('echo "$SVC_DATABASE_URL"');
      const service = await startServeProcess({ SVC_DATABASE_URL: url, SVC_DATA_DIR: folder.path });
      assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
      assert.equal(await service.stop(), 0);
    } finally {
      bash.close();
    }
  });
});
