import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createDiskObjectStore } from '../../../service/objects/disk-object-store.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';
import { suiteNeeds } from '../../support/toolchains.ts';
import { objectStoreContract } from './object-store-contract.ts';

describe('the disk object store', () => {
  let folder: TemporaryFolder;
  beforeEach(async () => {
    folder = await temporaryFolder({});
  });
  afterEach(() => folder.remove());

  objectStoreContract(() => Promise.resolve(createDiskObjectStore(path.join(folder.path, 'objects'))));

  it('stores each object in a file named by its key, without leaving other files', async () => {
    const store = createDiskObjectStore(folder.path);
    await store.put('T1/C1/1/go-ab12.zip', Uint8Array.of(1, 2));
    assert.deepEqual(await readdir(path.join(folder.path, 'T1/C1/1')), ['go-ab12.zip']);
    assert.deepEqual([...(await readFile(path.join(folder.path, 'T1/C1/1/go-ab12.zip')))], [1, 2]);
  });

  it('leaves no file behind after a failed put', async () => {
    const store = createDiskObjectStore(folder.path);
    await mkdir(path.join(folder.path, 'T1/taken/by-a-folder'), { recursive: true });
    await assert.rejects(store.put('T1/taken', Uint8Array.of(1)));
    assert.deepEqual(await readdir(path.join(folder.path, 'T1')), ['taken']);
  });

  it('hides leftovers of interrupted puts, and deletes them with their prefix', async () => {
    const store = createDiskObjectStore(folder.path);
    await store.put('T1/E1/ab', Uint8Array.of(1));
    await writeFile(path.join(folder.path, 'T1/E1/.cd.0123456789ab.tmp'), 'half');
    assert.deepEqual(await store.list('T1/'), ['T1/E1/ab']);
    await store.deleteAll('T1/E1/');
    assert.deepEqual(await readdir(path.join(folder.path, 'T1')), []);
  });

  it('fails its check if it cannot write', async () => {
    await writeFile(path.join(folder.path, 'file'), '');
    await assert.rejects(createDiskObjectStore(path.join(folder.path, 'file')).check());
    await assert.rejects(createDiskObjectStore('/dev/null/x').check());
  });
});

suiteNeeds('processes', 'the disk object store of a process that is killed', () => {
  let folder: TemporaryFolder;
  before(async () => {
    folder = await temporaryFolder({});
  });
  after(() => folder.remove());

  it('preserves every object intact', async () => {
    const module = new URL('../../../service/objects/disk-object-store.ts', import.meta.url).href;
    const script = `
      const { createDiskObjectStore } = await import(${JSON.stringify(module)});
      const store = createDiskObjectStore(${JSON.stringify(folder.path)});
      for (let round = 0; ; round += 1) {
        await store.put('a/b', Buffer.alloc(300_000, String(round % 10)));
        if (round === 5) console.log('writing');
      }`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const store = createDiskObjectStore(folder.path);
    const bytes = await store.get('a/b');
    assert.equal(bytes?.length, 300_000);
    assert.equal(new Set(bytes).size, 1);
    assert.deepEqual(await store.list(''), ['a/b']);
  });
});
