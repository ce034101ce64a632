import assert from 'node:assert/strict';
import { mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../../service/store/make-folder.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

describe('making a folder', () => {
  let base: TemporaryFolder;
  beforeEach(async () => {
    base = await temporaryFolder({ file: '' });
  });
  afterEach(() => base.remove());

  it('makes those above it too, also for several at once', async () => {
    const folder = path.join(base.path, 'a/b/c/d');
    await Promise.all(Array.from({ length: 8 }, () => makeFolder(folder)));
    assert.ok((await stat(folder)).isDirectory());
  });

  it('leaves what stands, behind a link too, and takes paths as they come', async () => {
    const folder = path.join(base.path, 'stands');
    await mkdir(folder);
    await writeFile(path.join(folder, 'kept'), '');
    await symlink(folder, path.join(base.path, 'link'));
    for (const given of [
      folder,
      `${folder}/`,
      path.join(base.path, 'link'),
      path.relative('.', folder),
      '.',
      '/',
    ]) {
      await makeFolder(given);
    }
    await makeFolder(path.join(base.path, 'link', 'new'));
    assert.ok((await stat(path.join(folder, 'new'))).isDirectory());
    assert.ok((await stat(path.join(folder, 'kept'))).isFile());
  });

  it('says what is in the way', async () => {
    await assert.rejects(makeFolder(path.join(base.path, 'file')), { code: 'EEXIST' });
    await assert.rejects(makeFolder(path.join(base.path, 'file/a/b')), { code: 'ENOTDIR' });
  });

  it('ends where the file system says of every folder that it is missing', async function () {
    if (process.platform !== 'linux') this.skip();
    await assert.rejects(makeFolder('/proc/svc'), { code: 'ENOENT' });
    await assert.rejects(makeFolder('/proc/svc/data/blobs'), { code: 'ENOENT' });
  });
});
