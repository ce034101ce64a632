import assert from 'node:assert/strict';
import { mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../../service/objects/make-folder.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

describe('makeFolder', () => {
  let base: TemporaryFolder;
  beforeEach(async () => {
    base = await temporaryFolder({ file: '' });
  });
  afterEach(() => base.remove());

  it('creates parent folders, even under concurrency', async () => {
    const folder = path.join(base.path, 'a/b/c/d');
    await Promise.all(Array.from({ length: 8 }, () => makeFolder(folder)));
    assert.ok((await stat(folder)).isDirectory());
  });

  it('keeps an existing folder, including behind a symbolic link, and accepts any form of path', async () => {
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

  it('rejects if a file is in the way', async () => {
    await assert.rejects(makeFolder(path.join(base.path, 'file')), { code: 'EEXIST' });
    await assert.rejects(makeFolder(path.join(base.path, 'file/a/b')), { code: 'ENOTDIR' });
  });

  it('rejects if the file system reports ENOENT for every folder', async function () {
    if (process.platform !== 'linux') this.skip();
    await assert.rejects(makeFolder('/proc/svc'), { code: 'ENOENT' });
    await assert.rejects(makeFolder('/proc/svc/data/blobs'), { code: 'ENOENT' });
  });
});
