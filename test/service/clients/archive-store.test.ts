import assert from 'node:assert/strict';
import { type ArchiveStore, createArchiveStore } from '../../../service/clients/archive-store.ts';
import { createDiskObjectStore } from '../../../service/objects/disk-object-store.ts';
import type { ObjectStore } from '../../../service/objects/object-store.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

describe('the archive store', () => {
  const key = { tenantId: 'T1', clientId: 'C1', version: 1, language: 'typescript-browser', sha256: 'ab12' };
  const bytes = new Uint8Array([1, 2, 3]);
  let folder: TemporaryFolder;
  let objects: ObjectStore;
  let store: ArchiveStore;
  beforeEach(async () => {
    folder = await temporaryFolder({});
    objects = createDiskObjectStore(folder.path);
    store = createArchiveStore(objects);
  });
  afterEach(() => folder.remove());

  it('returns the bytes of an archive', async () => {
    await store.put(key, bytes);
    assert.deepEqual(await store.read(key), bytes);
    assert.deepEqual(await objects.list(''), ['T1/C1/1/typescript-browser-ab12.zip']);
  });

  it('returns undefined for a missing archive', async () => {
    await store.put(key, bytes);
    assert.equal(await store.read({ ...key, sha256: 'cd34' }), undefined);
    assert.equal(await store.read({ ...key, clientId: 'C2' }), undefined);
  });

  it('removes only the other archives of the same version and language', async () => {
    const [older, browser, secondVersion] = [
      { ...key, language: 'typescript', sha256: 'aa' },
      { ...key, language: 'typescript-browser', sha256: 'cc' },
      { ...key, language: 'typescript', sha256: 'aa', version: 10 },
    ];
    const newer = { ...older, sha256: 'bb' };
    for (const each of [older, newer, browser, secondVersion]) await store.put(each, bytes);
    await store.removeOthers(newer);
    assert.deepEqual(await objects.list(''), [
      'T1/C1/1/typescript-bb.zip',
      'T1/C1/1/typescript-browser-cc.zip',
      'T1/C1/10/typescript-aa.zip',
    ]);
  });

  it('removes only the archives of the client', async () => {
    const other = { ...key, clientId: 'C2' };
    await store.put(key, bytes);
    await store.put(other, bytes);
    await store.removeClient(key);
    await store.removeClient(key);
    assert.equal(await store.read(key), undefined);
    assert.deepEqual(await store.read(other), bytes);
  });

  it('rejects ids that are not valid key segments', async () => {
    await assert.rejects(store.put({ ...key, clientId: '..' }, bytes), /invalid segment/);
    await assert.rejects(store.read({ ...key, language: '../x' }), /invalid segment/);
    await assert.rejects(store.removeClient({ tenantId: 'T1', clientId: '.' }), /invalid segment/);
  });

  it('delegates its check to the object store', async () => {
    await store.check();
    await assert.rejects(createArchiveStore(createDiskObjectStore('/dev/null/x')).check());
  });
});
