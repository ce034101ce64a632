import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runInProcess, runSvc } from '../../support/run-svc.ts';
import { suiteNeeds } from '../../support/toolchains.ts';

suiteNeeds('processes', 'a command that acts on the database', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'svc-folder-')));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('says that it makes a new database, then nothing about the default folder', async () => {
    const tenants = () => runSvc(['tenant', 'list'], { cwd: folder, env: { SVC_DATA_DIR: '' } });
    const [first, second] = [await tenants(), await tenants()];
    assert.equal(
      first.folderNote,
      `there is no database in ${folder}/data yet; if the service keeps its data elsewhere, set SVC_DATA_DIR to its folder\n`,
    );
    assert.deepEqual([first.code, second.code, second.folderNote, second.stderr], [0, 0, undefined, '']);
  });

  it('names a folder that is not the default', async () => {
    const dataDir = path.join(folder, 'other');
    const tenants = () => runInProcess(['tenant', 'list'], { SVC_DATA_DIR: dataDir });
    assert.match((await tenants()).folderNote ?? '', /^there is no database in .*\/other yet; if/);
    assert.equal((await tenants()).folderNote, `using the data folder ${dataDir}\n`);
  });

  it('says nothing about the folder with PostgreSQL', async () => {
    const env = { SVC_DATA_DIR: folder, SVC_DATABASE_URL: 'postgres://svc@127.0.0.1:1/svc' };
    const { code, folderNote } = await runInProcess(['tenant', 'list'], env);
    assert.deepEqual([code, folderNote], [1, undefined]);
  });
});
