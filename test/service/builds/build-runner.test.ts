import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { createArchiveStore } from '../../../service/clients/archive-store.ts';
import { createDiskObjectStore } from '../../../service/objects/disk-object-store.ts';
import { createBuildPool } from '../../../service/builds/build-pool.ts';
import type { BuildRunner, BuildRunnerOptions } from '../../../service/builds/build-runner.ts';
import { removeClient } from '../../../service/clients/save-client.ts';
import { type ClientBuild, findBuild } from '../../../service/store/client-builds.ts';
import type { Client } from '../../../service/store/clients.ts';
import { createLogger } from '../../../service/logging/create-logger.ts';
import type { Database } from '../../../service/store/database.ts';
import { openDatabase } from '../../../service/store/open-database.ts';
import type { Tenant } from '../../../service/store/tenants.ts';
import { quickRunner, requestBuilds, storedBuilds, storedBundle } from '../../support/build-fixture.ts';
import { eachDatabase, openAgain } from '../../support/databases.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { makeToyLanguages } from '../../support/toy-languages.ts';
import { suiteNeeds } from '../../support/toolchains.ts';

suiteNeeds('processes', 'the build runner', function () {
  this.timeout(300_000);
  let dataDir: string;
  let toys: Awaited<ReturnType<typeof makeToyLanguages>>;
  let runners: BuildRunner[];

  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'svc-builds-'));
    toys = await makeToyLanguages();
    runners = [];
  });
  afterEach(async () => {
    await Promise.all(runners.map((runner) => runner.close(0)));
    await rm(dataDir, { recursive: true, force: true });
    await rm(toys.root, { recursive: true, force: true });
  });

  const started = async (db: Database, fields: Partial<BuildRunnerOptions> = {}): Promise<BuildRunner> => {
    const runner = quickRunner(db, dataDir, {
      folders: toys,
      pool: createBuildPool({ folders: toys }),
      ...fields,
    });
    runners.push(runner);
    await runner.start();
    return runner;
  };

  describe('on each database', () => {
    eachDatabase((open) => {
      let db: Database;
      let tenant: Tenant;
      let client: Client;
      before(async () => {
        db = await open();
      });
      beforeEach(async () => {
        ({ tenant, client } = await storedBundle(db));
      });

      it('runs builds requested before and after its start', async () => {
        await requestBuilds(db, tenant, client.id, ['go']);
        const runner = await started(db, { pollMs: 60_000 });
        const first = await finished(db, tenant, client, 1, 'go');
        assert.equal(result(first), 'succeeded');
        await requestBuilds(db, tenant, client.id, ['go']);
        runner.wake();
        const second = await finished(db, tenant, client, 2, 'go');
        const bytes = await createArchiveStore(createDiskObjectStore(path.join(dataDir, 'archives'))).read({
          ...second,
          sha256: second.sha256 ?? '',
        });
        assert.equal(bytes?.length, second.size);
        assert.equal(createHash('sha256').update(bytes).digest('hex'), second.sha256);
        assert.notEqual(second.sha256, first.sha256);
      });

      it('logs only a prefix of the digest, which would be redacted as a key', async () => {
        const lines: string[] = [];
        const logger = createLogger({ destination: { write: (line) => void lines.push(line) } });
        const runner = await started(db, { logger });
        await requestBuilds(db, tenant, client.id, ['go']);
        runner.wake();
        const { sha256, size } = await finished(db, tenant, client, 1, 'go');
        await until(() => lines.length > 0);
        const { msg, status, ...line } = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
        assert.deepEqual([msg, status, line.size], ['build finished', 'succeeded', size]);
        assert.equal(line.sha256Prefix, sha256?.slice(0, 12));
        assert.doesNotMatch(lines.join(''), /\[key\]|[0-9a-f]{64}/);
      });

      it('rebuilds a version to the same bytes', async () => {
        await started(db);
        await requestBuilds(db, tenant, client.id, ['go']);
        const first = await finished(db, tenant, client, 1, 'go');
        await requestBuilds(db, tenant, client.id, ['go'], 1);
        const again = await finished(db, tenant, client, 1, 'go');
        assert.equal(again.sha256, first.sha256);
      });

      it('stores the error of the generator or of a missing generator', async () => {
        await started(db);
        await requestBuilds(db, tenant, client.id, ['rust', 'typescript-browser', 'go']);
        assert.equal((await finished(db, tenant, client, 1, 'rust')).error, 'rust has "rusted"');
        assert.equal(
          (await finished(db, tenant, client, 1, 'typescript-browser')).error,
          'no generator for language "typescript-browser" in this release',
        );
        assert.equal(result(await finished(db, tenant, client, 1, 'go')), 'succeeded');
      });

      it('retries a build whose worker crashes, up to a limit', async () => {
        await started(db);
        await requestBuilds(db, tenant, client.id, ['csharp', 'java']);
        assert.equal(result(await finished(db, tenant, client, 1, 'csharp')), 'succeeded');
        const java = await finished(db, tenant, client, 1, 'java');
        assert.equal(
          java.error,
          'the build crashed its worker 3 times: the thread ended before it answered: exit code 3',
        );
      });

      it('terminates a build after the timeout', async () => {
        await started(db, { pool: createBuildPool({ folders: toys, timeoutMs: 5_000 }) });
        await requestBuilds(db, tenant, client.id, ['python']);
        const astray = await finished(db, tenant, client, 1, 'python');
        assert.equal(astray.error, 'the build took longer than 5 s and was terminated');
        await requestBuilds(db, tenant, client.id, ['go'], 1);
        assert.equal(result(await finished(db, tenant, client, 1, 'go')), 'succeeded');
      });

      it('terminates idle workers, and starts new ones', async () => {
        const workers: Worker[] = [];
        const keep = (worker: Worker): number => workers.push(worker);
        process.on('worker', keep);
        try {
          await started(db, { pool: createBuildPool({ folders: toys, idleMs: 1 }) });
          await requestBuilds(db, tenant, client.id, ['go']);
          assert.equal(result(await finished(db, tenant, client, 1, 'go')), 'succeeded');
          await until(() => workers.every(({ threadId }) => threadId === -1));
          await requestBuilds(db, tenant, client.id, ['go']);
          assert.equal(result(await finished(db, tenant, client, 2, 'go')), 'succeeded');
        } finally {
          process.off('worker', keep);
        }
      });

      it('shares builds between replicas without duplicates', async () => {
        const twin = await openAgain(db);
        const built: string[] = [];
        const counting = (name: string) => ({ metrics: { countBuild: () => void built.push(name) } });
        await started(db, { workers: 1, ...counting('one') });
        await started(twin, { workers: 1, ...counting('other') });
        for (let version = 1; version <= 12; version += 1) await requestBuilds(db, tenant, client.id, ['go']);
        for (let version = 1; version <= 12; version += 1) {
          assert.equal(result(await finished(db, tenant, client, version, 'go')), 'succeeded');
        }
        await delay(100);
        assert.equal(built.length, 12);
        assert.deepEqual([...new Set(built)].sort(), ['one', 'other']);
      });

      it('renews the lease of a long build', async () => {
        let built = 0;
        const metrics = { countBuild: () => void (built += 1) };
        const clock = manualClock();
        const leaseMs = 200;
        await started(db, { leaseMs, metrics, clock });
        await started(await openAgain(db), { leaseMs, metrics, clock });
        await requestBuilds(db, tenant, client.id, ['typescript']);
        await until(() => existsSync(path.join(toys.root, 'begun')));
        const [row] = await storedBuilds(db, tenant, client.id);
        // Takes three times the lease, so the lease must be renewed.
        for (let times = 0; times < 6; times += 1) {
          clock.advance(leaseMs / 2);
          await until(async () => {
            const [renewed] = await storedBuilds(db, tenant, client.id);
            return renewed?.leaseUntil === clock.now() + leaseMs;
          });
        }
        const [later] = await storedBuilds(db, tenant, client.id);
        assert.equal(later?.leaseOwner, row?.leaseOwner);
        await writeFile(path.join(toys.root, 'released'), '');
        await finished(db, tenant, client, 1, 'typescript');
        await delay(100);
        assert.equal(built, 1);
      });

      it('waits for running builds on close, up to the grace period', async () => {
        const patient = await started(db);
        await requestBuilds(db, tenant, client.id, ['typescript']);
        await until(() => existsSync(path.join(toys.root, 'begun')));
        const closing = patient.close(60_000);
        await writeFile(path.join(toys.root, 'released'), '');
        await closing;
        assert.equal((await findBuild(db.knex, tenant.id, client.id, 1, 'typescript'))?.status, 'succeeded');

        await rm(path.join(toys.root, 'begun'));
        await rm(path.join(toys.root, 'released'));
        const hasty = await started(db);
        await requestBuilds(db, tenant, client.id, ['typescript'], 1);
        await until(() => existsSync(path.join(toys.root, 'begun')));
        await hasty.close(0);
        assert.equal((await findBuild(db.knex, tenant.id, client.id, 1, 'typescript'))?.status, 'pending');
        await writeFile(path.join(toys.root, 'released'), '');
        await started(db);
        assert.equal(result(await finished(db, tenant, client, 1, 'typescript')), 'succeeded');
      });

      it('leaves no archive of a client that is deleted during the build', async () => {
        const runner = await started(db);
        const archives = createArchiveStore(createDiskObjectStore(path.join(dataDir, 'archives')));
        await requestBuilds(db, tenant, client.id, ['typescript']);
        await until(() => existsSync(path.join(toys.root, 'begun')));
        await removeClient({ db, archives }, tenant, client.id);
        await writeFile(path.join(toys.root, 'released'), '');
        await runner.close();
        assert.ok(existsSync(path.join(dataDir, 'archives')));
        assert.ok(!existsSync(path.join(dataDir, 'archives', tenant.id, client.id)));
      });
    });
  });

  it('resumes the build of a killed process', async () => {
    const db = await openDatabase({ dataDir });
    const { tenant, client } = await storedBundle(db);
    await requestBuilds(db, tenant, client.id, ['typescript']);
    const script = path.join(import.meta.dirname, '../../support/build-child.ts');
    const { generatorDir = '', templatesDir = '' } = toys;
    const child = spawn(process.execPath, [script, dataDir, generatorDir, templatesDir], {
      stdio: 'inherit',
    });
    const exited = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
    await until(() => existsSync(path.join(toys.root, 'begun')));
    child.kill('SIGKILL');
    assert.equal(await exited, 'SIGKILL');
    const left = await findBuild(db.knex, tenant.id, client.id, 1, 'typescript');
    assert.equal(left?.status, 'pending');
    assert.ok(left.leaseOwner);

    await writeFile(path.join(toys.root, 'released'), '');
    // Does not wait until the lease of the killed process expires.
    const clock = { now: () => left.leaseUntil ?? 0 };
    await started(db, { clock });
    const row = await finished(db, tenant, client, 1, 'typescript');
    assert.equal(result(row), 'succeeded');
    await Promise.all(runners.map((runner) => runner.close()));
    await db.close();
  });
});

async function finished(
  db: Database,
  tenant: Tenant,
  client: Client,
  version: number,
  language: string,
): Promise<ClientBuild> {
  let row: ClientBuild | undefined;
  await until(async () => {
    row = await findBuild(db.knex, tenant.id, client.id, version, language);
    return row?.status !== 'pending';
  });
  assert.ok(row);
  return row;
}

/** The result of a build as one value, for the message of a failing test. */
function result({ status, error }: ClientBuild): string {
  return error === null ? status : `${status}: ${error}`;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const giveUp = Date.now() + 50_000;
  while (!(await holds())) {
    assert.ok(Date.now() < giveUp, 'no result after 50 s');
    await delay(10);
  }
}
