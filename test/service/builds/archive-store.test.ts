import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ArchiveStore, createArchiveStore } from '../../../service/builds/archive-store.ts';

describe('the archive store', () => {
  const key = { tenantId: 'T1', clientId: 'C1', version: 1, language: 'typescript-browser', sha256: 'ab12' };
  let dataDir: string;
  let store: ArchiveStore;
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'svc-archives-'));
    store = createArchiveStore(dataDir);
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('gives back what was put, byte by byte, and leaves nothing beside it', async () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
    await store.put(key, bytes);
    await store.put(key, bytes);
    assert.deepEqual(new Uint8Array((await store.read(key))!), bytes);
    assert.deepEqual(await readdir(path.join(dataDir, 'archives', 'T1', 'C1', '1')), [
      'typescript-browser-ab12.zip',
    ]);
  });

  it('knows a lost archive from a kept one', async () => {
    await store.put(key, new Uint8Array([1]));
    assert.equal(await store.read({ ...key, sha256: 'cd34' }), undefined);
    assert.equal(await store.read({ ...key, clientId: 'C2' }), undefined);
  });

  it('drops what a version was built to before, in that language only', async () => {
    const [older, browser] = [
      { ...key, language: 'typescript', sha256: 'aa' },
      { ...key, language: 'typescript-browser', sha256: 'cc' },
    ];
    const newer = { ...older, sha256: 'bb' };
    for (const each of [older, newer, browser]) await store.put(each, new Uint8Array([1]));
    await store.removeOthers(newer);
    assert.equal(await store.read(older), undefined);
    assert.ok((await store.read(newer)) && (await store.read(browser)));
  });

  it('removes the archives of one client and of no other', async () => {
    const other = { ...key, clientId: 'C2' };
    await store.put(key, new Uint8Array([1]));
    await store.put(other, new Uint8Array([2]));
    await store.removeClient(key);
    await store.removeClient(key);
    assert.equal(await store.read(key), undefined);
    assert.deepEqual(await store.read(other), Buffer.from([2]));
  });

  it('refuses names that lead out of its folder', async () => {
    await assert.rejects(store.put({ ...key, clientId: '..' }, new Uint8Array([1])), /not a part/);
    await assert.rejects(store.read({ ...key, language: '../x' }), /not a part/);
    await assert.rejects(store.removeClient({ tenantId: 'T1', clientId: '.' }), /not a part/);
  });

  it('says when it cannot write', async () => {
    await store.check();
    await assert.rejects(createArchiveStore('/dev/null/x').check());
  });
});
