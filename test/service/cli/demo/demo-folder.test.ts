import assert from 'node:assert/strict';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { demoConfig, emptyDemoFolder } from '../../../../service/cli/demo/demo-folder.ts';
import { lockDataFolder } from '../../../../service/store/lock-data-folder.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.ts';

describe('the data folder of the demo', () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await temporaryFolder({});
  });
  afterEach(() => folder.remove());

  it('ignores the data settings of the environment', () => {
    const env = { SVC_DATA_DIR: folder.path, SVC_DATABASE_URL: 'postgres://localhost/svc', SVC_HOST: '::1' };
    const { dataDir, databaseUrl, host } = demoConfig(env);
    assert.equal(dataDir, path.resolve('data/demo'));
    assert.equal(databaseUrl, null);
    assert.equal(host, '::1');
  });

  it('is emptied before the next demo', async () => {
    const data = path.join(folder.path, 'data/demo');
    await emptyDemoFolder(data);
    await mkdir(path.join(data, 'sdk'));
    await writeFile(path.join(data, 'svc.db'), '');
    await emptyDemoFolder(data);
    assert.deepEqual((await readdir(data)).sort(), ['made-by-svc-demo', 'svc.lock']);
  });

  it('cannot be a folder with other files or a symbolic link', async () => {
    const used = path.join(folder.path, 'used');
    await mkdir(used);
    await writeFile(path.join(used, 'svc.db'), '');
    await assert.rejects(emptyDemoFolder(used), {
      name: 'CliError',
      message: `${used} was not created by svc demo, which deletes its data folder: move it away first`,
    });
    assert.deepEqual(await readdir(used), ['svc.db']);
    const own = path.join(folder.path, 'own');
    await emptyDemoFolder(own);
    const link = path.join(folder.path, 'link');
    await symlink(own, link);
    await assert.rejects(emptyDemoFolder(link), { name: 'CliError' });
  });

  it('is not emptied while a service uses it', async () => {
    await emptyDemoFolder(folder.path);
    await writeFile(path.join(folder.path, 'svc.db'), '');
    const lock = await lockDataFolder(folder.path);
    try {
      await assert.rejects(emptyDemoFolder(folder.path), {
        name: 'CliError',
        message: `another demo uses ${folder.path}: stop it with Ctrl-C first`,
      });
      assert.ok((await readdir(folder.path)).includes('svc.db'));
    } finally {
      lock.release();
    }
    await emptyDemoFolder(folder.path);
    assert.ok(!(await readdir(folder.path)).includes('svc.db'));
  });
});
