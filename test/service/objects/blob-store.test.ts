import assert from 'node:assert/strict';
import { type BlobStore, createBlobStore } from '../../../service/objects/blob-store.ts';
import { createDiskObjectStore } from '../../../service/objects/disk-object-store.ts';
import type { ObjectStore } from '../../../service/objects/object-store.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

describe('the blob store', () => {
  let folder: TemporaryFolder;
  let objects: ObjectStore;
  let blobs: BlobStore;
  beforeEach(async () => {
    folder = await temporaryFolder({});
    objects = createDiskObjectStore(folder.path);
    blobs = createBlobStore(objects);
  });
  afterEach(() => folder.remove());

  const bytes = new Uint8Array([0, 1, 255]);

  it('stores equal blobs of an execution once', async () => {
    const [one, two] = await Promise.all([blobs.put('t', 'e', bytes), blobs.put('t', 'e', bytes)]);
    assert.equal(one, two);
    assert.deepEqual(await blobs.read('t', 'e', one), bytes);
    assert.deepEqual(await objects.list(''), [`t/e/${one}`]);
  });

  it('separates tenants and executions', async () => {
    const name = await blobs.put('t', 'e', bytes);
    await assert.rejects(blobs.read('t', 'other', name), /blob t\/other\/\w+ is missing/);
    await assert.rejects(blobs.read('other', 'e', name), /is missing/);
  });

  it('removes all blobs of an execution, and succeeds if there are none', async () => {
    const name = await blobs.put('t', 'e', bytes);
    await blobs.put('t', 'e', new Uint8Array([2]));
    const kept = await blobs.put('t', 'other', bytes);
    await blobs.remove('t', 'e');
    await blobs.remove('t', 'e');
    await assert.rejects(blobs.read('t', 'e', name), /is missing/);
    assert.deepEqual(await objects.list(''), [`t/other/${kept}`]);
  });

  it('rejects ids that are not valid key segments', async () => {
    for (const part of ['..', '.', '', 'a/b', 'a\\b', '/etc']) {
      await assert.rejects(blobs.read('t', 'e', part), /invalid segment/);
      await assert.rejects(blobs.put(part, 'e', bytes), /invalid segment/);
      await assert.rejects(blobs.remove('t', part), /invalid segment/);
    }
  });

  it('delegates its check to the object store', async () => {
    await blobs.check();
    await assert.rejects(createBlobStore(createDiskObjectStore('/dev/null/x')).check());
  });
});
