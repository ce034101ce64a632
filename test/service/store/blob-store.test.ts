import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type BlobStore, createBlobStore } from '../../../service/store/blob-store.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

describe('the blob store', () => {
  let folder: TemporaryFolder;
  let blobs: BlobStore;
  beforeEach(async () => {
    folder = await temporaryFolder({});
    blobs = createBlobStore(folder.path);
  });
  afterEach(() => folder.remove());

  const bytes = new Uint8Array([0, 1, 255]);

  it('gives back what it was given, under one name for the same bytes', async () => {
    const [one, two] = await Promise.all([blobs.put('t', 'e', bytes), blobs.put('t', 'e', bytes)]);
    assert.equal(one, two);
    assert.deepEqual(await blobs.read('t', 'e', one), bytes);
    assert.deepEqual(await readdir(path.join(folder.path, 'blobs', 't', 'e')), [one]);
  });

  it('keeps each execution of each tenant apart', async () => {
    const name = await blobs.put('t', 'e', bytes);
    await assert.rejects(blobs.read('t', 'other', name), { code: 'ENOENT' });
    await assert.rejects(blobs.read('other', 'e', name), { code: 'ENOENT' });
  });

  it('removes an execution with everything, and one that is not there', async () => {
    const name = await blobs.put('t', 'e', bytes);
    await blobs.remove('t', 'e');
    await assert.rejects(blobs.read('t', 'e', name), { code: 'ENOENT' });
    await blobs.remove('t', 'e');
  });

  it('is led out of its folder by no name', async () => {
    for (const part of ['..', '.', '', 'a/b', 'a\\b', '/etc']) {
      await assert.rejects(async () => blobs.read('t', 'e', part), /not a part of a blob's name/);
      await assert.rejects(async () => blobs.put(part, 'e', bytes), /not a part of a blob's name/);
    }
  });

  it('says when it cannot be written', async () => {
    await blobs.check();
    const file = await temporaryFolder({ blobs: 'a file is in the way' });
    try {
      await assert.rejects(createBlobStore(file.path).check());
    } finally {
      await file.remove();
    }
  });
});
