import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { loadCurrentKey } from '../../service/access/secrets/new-key-file.ts';
import { createSecretStore } from '../../service/access/secrets/secret-store.ts';
import { systemClock } from '../../service/clock.ts';
import { openDatabase } from '../../service/store/open-database.ts';
import { findTenantByHandle } from '../../service/store/tenants.ts';
import { runInProcess } from '../support/run-svc.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { suiteNeeds } from '../support/toolchains.ts';

/** When the process dies: what `svc secret rekey` has done by then. */
const points = ['stored the key', 'encrypted the values', 'committed', 'adopted the key'] as const;

suiteNeeds('processes', 'a killed svc secret rekey', function () {
  this.timeout(60_000);
  let data: TemporaryFolder;
  beforeEach(async () => {
    data = await temporaryFolder({});
  });
  afterEach(() => data.remove());

  const run = async (args: string[], stdin = ''): Promise<void> => {
    const { code, stderr } = await runInProcess(args, { SVC_DATA_DIR: data.path }, stdin);
    assert.equal(code, 0, stderr);
  };
  const storedValues = async (): Promise<Record<string, string>> => {
    const db = await openDatabase({ dataDir: data.path });
    try {
      const key = await loadCurrentKey(db.knex, { secretKey: null, dataDir: data.path });
      const { id } = (await findTenantByHandle(db.knex, 'acme'))!;
      return await createSecretStore({ tx: db.knex, clock: systemClock, key }).values(id, ['A', 'B', 'C']);
    } finally {
      await db.close();
    }
  };

  for (const point of points) {
    it(`loses no secret after it has ${point}, and can be repeated`, async () => {
      await run(['tenant', 'create', 'acme']);
      await run(['secret', 'set', 'A', '--tenant', 'acme'], 'one');
      await run(['secret', 'set', 'B', '--tenant', 'acme'], 'two');
      await rekeyUntil(point, data.path);
      assert.deepEqual(await storedValues(), { A: 'one', B: 'two' });
      await run(['secret', 'set', 'C', '--tenant', 'acme'], 'three');
      await writeFile(path.join(data.path, '.secret.key.0123.abc.tmp'), 'a key that was being written');
      await run(['secret', 'rekey']);
      assert.deepEqual(await storedValues(), { A: 'one', B: 'two', C: 'three' });
      // A key that was stored before the crash and never used may be left.
      const keys = (await readdir(data.path)).filter((name) => name.includes('secret.key'));
      assert.ok(keys.includes('secret.key') && keys.length <= 2, keys.join(', '));
    });
  }
});

/** Takes the steps of `svc secret rekey` in a process that kills itself at `point`. */
async function rekeyUntil(point: (typeof points)[number], dataDir: string): Promise<void> {
  const service = new URL('../../service/', import.meta.url).href;
  const script = `
    const { openDatabase } = await import('${service}store/open-database.ts');
    const { adoptNewKey, loadCurrentKey, storeNewKey } = await import('${service}access/secrets/new-key-file.ts');
    const { changeKey } = await import('${service}access/secrets/change-key.ts');
    const { systemClock } = await import('${service}clock.ts');
    const { randomBytes } = await import('node:crypto');
    const dataDir = ${JSON.stringify(dataDir)};
    const reach = (point) => { if (point === ${JSON.stringify(point)}) process.kill(process.pid, 'SIGKILL'); };
    const db = await openDatabase({ dataDir });
    const from = await loadCurrentKey(db.knex, { secretKey: null, dataDir });
    const to = randomBytes(32);
    await storeNewKey(dataDir, to);
    reach('stored the key');
    const transaction = (work) => db.transaction(async (tx) => {
      const result = await work(tx);
      reach('encrypted the values');
      return result;
    });
    await changeKey({ ...db, transaction }, { from, to, clock: systemClock });
    reach('committed');
    await adoptNewKey(db.knex, dataDir);
    reach('adopted the key');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'inherit' });
  const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  assert.equal(signal, 'SIGKILL', 'the process must reach the point');
}
