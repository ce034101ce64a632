import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadSecretKey } from '../../../../service/access/secrets/secret-key.ts';

describe('the key for secrets', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = path.join(await mkdtemp(path.join(tmpdir(), 'svc-key-')), 'data');
  });
  afterEach(() => rm(path.dirname(dataDir), { recursive: true }));

  it('is the configured key', async () => {
    const key = await loadSecretKey({ secretKey: '0aF1'.repeat(16), dataDir });
    assert.equal(Buffer.from(key).toString('hex'), '0af1'.repeat(16));
    await assert.rejects(stat(dataDir));
  });

  it('is the configured key even if the data folder contains another one', async () => {
    const made = await loadSecretKey({ secretKey: null, dataDir });
    const key = await loadSecretKey({ secretKey: '0aF1'.repeat(16), dataDir });
    assert.equal(Buffer.from(key).toString('hex'), '0af1'.repeat(16));
    assert.deepEqual(await loadSecretKey({ secretKey: null, dataDir }), made);
  });

  it('is created once by concurrent processes, and readable only by its owner', async () => {
    const keys = await Promise.all(
      Array.from({ length: 8 }, () => loadSecretKey({ secretKey: null, dataDir })),
    );
    const hex = keys.map((key) => Buffer.from(key).toString('hex'));
    assert.equal(new Set(hex).size, 1);
    assert.equal(keys[0]?.length, 32);
    assert.deepEqual(await readdir(dataDir), ['secret.key']);
    assert.equal((await stat(path.join(dataDir, 'secret.key'))).mode & 0o777, 0o600);
    assert.deepEqual(await loadSecretKey({ secretKey: null, dataDir }), keys[0]);
  });

  it('is not overwritten if its file is invalid', async () => {
    await loadSecretKey({ secretKey: null, dataDir });
    await writeFile(path.join(dataDir, 'secret.key'), 'lost');
    await assert.rejects(
      loadSecretKey({ secretKey: null, dataDir }),
      /does not contain a key.*SVC_SECRET_KEY/,
    );
  });
});
