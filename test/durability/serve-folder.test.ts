import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, copyFile, mkdir, readdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Run, runSvc } from '../support/run-svc.ts';
import { type ServeProcess, startServeProcess } from '../support/serve-process.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { until } from '../support/until.ts';

interface Readiness {
  status: number;
  checks: Record<string, string>;
}

/** A failure is detected within ten seconds. The rest is slack for a busy machine. */
const patienceMs = 30_000;

let folder: TemporaryFolder;
let dataDir: string;
let service: ServeProcess | undefined;

const env = (): Record<string, string> => ({ SVC_DATA_DIR: dataDir, SVC_LOG_LEVEL: 'info' });
const start = async (): Promise<ServeProcess> => (service = await startServeProcess(env()));
const svcOn = (...args: string[]): Promise<Run> => runSvc(args, { env: { ...env(), SVC_PORT: '0' } });

async function readiness(): Promise<Readiness> {
  const response = await fetch(`${service?.url}/readyz`);
  const { checks } = (await response.json()) as Readiness;
  return { status: response.status, checks };
}

/**
 * Waits for a status of `/readyz`, and for checks that come one after the other, as each has its own time. On a machine that stalls for
 * seconds, another check may have had no result in time.
 */
async function becomes(
  status: 200 | 503,
  isComplete: (checks: Record<string, string>) => boolean = () => true,
): Promise<Record<string, string>> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const now = await readiness();
    if (now.status === status && isComplete(now.checks)) return now.checks;
    assert.ok(performance.now() < deadline, `still ${now.status}: ${JSON.stringify(now.checks)}`);
    await pause(100);
  }
}

/** Whether archives and blobs are both reported for one reason. */
function storesFail({ archives, blobs }: Record<string, string>, reason: string): boolean {
  return archives === reason && blobs === reason;
}

/** The lines of the log about a check. */
function logOf(check: string): { level: number; reason?: string }[] {
  const lines = (service?.stderr() ?? '').split('\n').filter((line) => line.startsWith('{'));
  return lines
    .map((line) => JSON.parse(line) as { level: number; check?: string; reason?: string })
    .filter((line) => line.check === check);
}

suiteNeeds('processes', 'the data folder of a running service', function () {
  this.timeout(180_000);
  beforeEach(async () => {
    folder = await temporaryFolder({});
    dataDir = path.join(folder.path, 'data');
    await start();
  });
  afterEach(async () => {
    await service?.kill();
    await folder.remove();
  });

  const db = (name = ''): string => path.join(dataDir, `svc.db${name}`);

  it('is reported while its database is missing, with one log line for each change', async () => {
    await becomes(200);
    await rename(db(), db('.away'));
    const reason = 'the file svc.db was removed from the data folder';
    await becomes(503, ({ database }) => database === reason);
    // The response may arrive before the log line.
    await until(() => logOf('database').length > 0);
    await pause(4_000);
    assert.deepEqual(
      logOf('database').map((line) => [line.level, line.reason]),
      [[50, reason]],
    );
    await rename(db('.away'), db());
    await becomes(200);
    await until(() => logOf('database').length === 2);
  });

  it('is reported when another file replaces its database', async () => {
    await copyFile(db(), db('.copy'));
    await rename(db('.copy'), db());
    await becomes(503, ({ database = '' }) => database.includes('replaced by another one'));
  });

  it('is reported when its database is overwritten', async () => {
    await truncate(db(), 10);
    await becomes(503, ({ database = '' }) => database.includes('damaged'));
  });

  it('is reported when it is removed, and is not recreated', async () => {
    // The service may write a file to check its storage meanwhile.
    await rm(dataDir, { recursive: true, maxRetries: 10 });
    await becomes(
      503,
      ({ database, ...checks }) =>
        database?.includes('was removed') === true &&
        storesFail(checks, 'cannot write a file: no such file or directory'),
    );
    await assert.rejects(stat(dataDir), { code: 'ENOENT' });
  });

  it('is served by one process at a time, and released when that is killed', async () => {
    const second = await svcOn('serve');
    assert.equal(second.code, 1);
    assert.match(second.stderr, /^svc: another svc serve runs on the data folder .*data: stop it, set /);
    await service?.kill();
    await start();
    assert.equal((await readiness()).status, 200);
  });

  it('accepts commands beside the service, which sees their changes', async () => {
    assert.equal((await svcOn('tenant', 'create', 'acme')).code, 0);
    const key = await svcOn('key', 'create', '--tenant', 'acme');
    assert.equal(key.code, 0);
    const headers = { authorization: `Bearer ${key.stdout.trim()}` };
    assert.equal((await fetch(`${service?.url}/api/v1/packages`, { headers })).status, 200);
    assert.equal((await readiness()).status, 200);
  });

  it('is refused at the next start without its database, by the service and by commands', async () => {
    assert.equal(await service?.stop(), 0);
    for (const name of ['', '-wal', '-shm']) await rm(db(name), { force: true });
    for (const command of [['serve'], ['tenant', 'list']]) {
      const { code, stderr } = await svcOn(...command);
      assert.equal(code, 1);
      assert.match(stderr, /^svc: the data folder .* has secret\.key, but no database: restore svc\.db /);
    }
    assert.ok(!(await readdir(dataDir)).includes('svc.db'));
  });

  it('becomes private at the next start', async () => {
    assert.equal(await service?.stop(), 0);
    await mkdir(path.join(dataDir, 'blobs/T1'));
    await writeFile(path.join(dataDir, 'blobs/T1/ab'), 'blob');
    for (const name of ['', 'blobs', 'blobs/T1']) await chmod(path.join(dataDir, name), 0o755);
    for (const name of ['svc.db', 'secret.key', 'blobs/T1/ab']) await chmod(path.join(dataDir, name), 0o644);
    await start();
    const wide: string[] = [];
    for (const name of ['', ...(await readdir(dataDir, { recursive: true }))]) {
      const { mode } = await stat(path.join(dataDir, name));
      if ((mode & 0o077) !== 0) wide.push(name);
    }
    assert.deepEqual(wide, []);
  });
});

suiteNeeds('mounts', 'the file system of a running service', function () {
  this.timeout(180_000);
  beforeEach(async () => {
    folder = await temporaryFolder({});
    run('mount', '-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', folder.path);
    dataDir = path.join(folder.path, 'data');
    await start();
  });
  afterEach(async () => {
    await service?.kill();
    run('umount', '--lazy', '--recursive', folder.path);
    await folder.remove();
  });

  it('is reported while it is full', async () => {
    await becomes(200);
    assert.equal((await svcOn('tenant', 'create', 'acme')).code, 0);
    const key = (await svcOn('key', 'create', '--tenant', 'acme')).stdout.trim();
    const filler = path.join(folder.path, 'filler');
    await assert.rejects(writeFile(filler, Buffer.alloc(20 * 1024 * 1024)), { code: 'ENOSPC' });
    const reason = 'cannot write a file: no space left on device';
    const { process } = await becomes(503, (checks) => storesFail(checks, reason));
    assert.equal(process, 'ok');
    const refused = await fillDatabase(key);
    assert.deepEqual(refused, [503, 'upstream_unavailable', 'the database is unavailable']);
    const { code, stderr } = await svcOn('tenant', 'list');
    assert.deepEqual([code, /: free space on its disk$/m.test(stderr)], [1, true], stderr);
    await until(() => logOf('blobs').length > 0);
    assert.equal(logOf('blobs')[0]?.reason, reason);
    await rm(filler);
    await becomes(200);
    await until(() => logOf('blobs').length > 1);
    assert.deepEqual(
      logOf('blobs').map(({ level }) => level),
      [50, 30],
    );
  });

  it('is reported while it is read-only', async () => {
    await becomes(200);
    run('mount', '--bind', dataDir, dataDir);
    run('mount', '-o', 'remount,bind,ro', dataDir);
    await becomes(503, (checks) => storesFail(checks, 'cannot write a file: read-only file system'));
    run('umount', dataDir);
    await becomes(200);
  });

  it('is refused at startup while it is read-only', async () => {
    assert.equal(await service?.stop(), 0);
    run('mount', '-o', 'remount,ro', folder.path);
    const { code, stderr } = await svcOn('serve');
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^svc: cannot write to the data folder .* \(cannot write a file: read-only file system\): set SVC_DATA_DIR/,
    );
  });
});

/** Creates clients until the database is full: it has free pages for the first ones. */
async function fillDatabase(key: string): Promise<unknown[]> {
  for (let n = 0; ; n += 1) {
    assert.ok(n < 2_000, 'the database still takes data');
    const response = await fetch(`${service?.url}/api/v1/clients`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}` },
      body: JSON.stringify({ name: `Client ${n}`, description: 'x'.repeat(4_000) }),
    });
    if (response.status === 201) continue;
    const { error, message } = (await response.json()) as Record<string, unknown>;
    return [response.status, error, message];
  }
}

function run(program: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  assert.equal(status, 0, `${program} ${args.join(' ')}: ${stderr}`);
}
