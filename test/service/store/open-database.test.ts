import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import SqliteConnection from 'better-sqlite3';
import type { Database } from '../../../service/store/database.ts';
import { DataFolderError } from '../../../service/store/data-folder.ts';
import { isUniqueViolation, UnreachableDatabaseError } from '../../../service/store/database-errors.ts';
import { openDatabase } from '../../../service/store/open-database.ts';
import { findTenant, insertTenant, updateTenantLimits } from '../../../service/store/tenants.ts';
import { suiteNeeds } from '../../support/toolchains.ts';
import { eachDatabase, openAgain, postgresOptions } from '../../support/databases.ts';
import { hostileText, sampleTenant, storedTenant } from '../../support/sample-records.ts';

describe('a database', () => {
  eachDatabase((open) => {
    let db: Database;
    before(async () => {
      db = await open();
    });

    it('commits a transaction that resolves and rolls back one that rejects', async () => {
      const [kept, undone] = [sampleTenant(), sampleTenant()];
      assert.equal(
        await db.transaction(async (tx) => {
          await insertTenant(tx, kept);
          return 'result';
        }),
        'result',
      );
      const failure = new Error('on purpose');
      await assert.rejects(
        db.transaction(async (tx) => {
          await insertTenant(tx, undone);
          throw failure;
        }),
        failure,
      );
      assert.deepEqual(await findTenant(db.knex, kept.id), kept);
      assert.equal(await findTenant(db.knex, undone.id), undefined);
    });

    it('preserves the writes of two processes that read before they write', async () => {
      const tenant = await storedTenant(db.knex, { limits: { burst: 0 } });
      const processes = [db, await openAgain(db)];
      const add = (process: Database): Promise<void> =>
        process.transaction(async (tx) => {
          if (process.dialect === 'postgres') await tx.raw('lock table tenants in exclusive mode');
          const { limits } = (await findTenant(tx, tenant.id))!;
          await updateTenantLimits(tx, tenant.id, { burst: (limits.burst ?? 0) + 1 });
        });
      for (let round = 0; round < 10; round += 1) await Promise.all(processes.map(add));
      assert.equal((await findTenant(db.knex, tenant.id))?.limits.burst, 20);
    });

    it('keeps values out of statement errors', async () => {
      const tenant = await storedTenant(db.knex, { limits: { rps: 424_242 } });
      await assert.rejects(insertTenant(db.knex, { ...tenant, id: 'x' }), (error: Error) => {
        assert.ok(isUniqueViolation(error));
        assert.ok(!error.message.includes('424242'), error.message);
        return true;
      });
    });
  });
});

describe('openDatabase', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), `svc-open-`));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('creates the data folder and a migrated database, and can open it again', async () => {
    const deep = path.join(dataDir, 'not', 'yet', 'there');
    const tenant = sampleTenant({ handle: hostileText });
    const first = await openDatabase({ dataDir: deep });
    await insertTenant(first.knex, tenant);
    await first.close();
    const second = await openDatabase({ dataDir: deep });
    assert.deepEqual(await findTenant(second.knex, tenant.id), tenant);
    await second.close();
  });

  it('opens a read-only SQLite connection that sees committed data without waiting', async () => {
    const db = await openDatabase({ dataDir });
    const handles = (): unknown[] => db.reader?.prepare('select handle from tenants').pluck().all() ?? [];
    const tenant = sampleTenant();
    await db.transaction(async (tx) => {
      await insertTenant(tx, tenant);
      assert.deepEqual(handles(), []);
    });
    assert.deepEqual(handles(), [tenant.handle]);
    assert.throws(() => db.reader?.exec('delete from tenants'), /readonly/);
    await db.close();
    assert.throws(handles, /not open/);
  });

  it('waits for another writer of SQLite without blocking the process', async () => {
    const db = await openDatabase({ dataDir });
    const other = new SqliteConnection(path.join(dataDir, 'svc.db'));
    other.exec('begin immediate');
    const [plain, inTransaction] = [sampleTenant(), sampleTenant()];
    const writes = [insertTenant(db.knex, plain), db.transaction((tx) => insertTenant(tx, inTransaction))];
    // A write that blocked the process would hold up this timer, and the lock would be taken until the write fails.
    await pause(50);
    other.exec('commit');
    other.close();
    await Promise.all(writes);
    for (const tenant of [plain, inTransaction])
      assert.deepEqual(await findTenant(db.knex, tenant.id), tenant);
    await db.close();
  });

  it('opens SQLite with the requested durability', async () => {
    for (const [sync, level] of [
      ['off', 0],
      ['normal', 1],
      ['full', 2],
      [undefined, 2],
    ] as const) {
      const db = await openDatabase({ dataDir, sync });
      assert.deepEqual(await db.knex.raw('pragma synchronous'), [{ synchronous: level }]);
      assert.deepEqual(await db.knex.raw('pragma journal_mode'), [{ journal_mode: 'wal' }]);
      await db.close();
    }
  });

  it('reports a data folder that it cannot create', async () => {
    const file = path.join(dataDir, 'file');
    await writeFile(file, '');
    await assert.rejects(openDatabase({ dataDir: path.join(file, 'data') }), (error) => {
      assert.ok(error instanceof DataFolderError);
      assert.match(error.message, /cannot create the data folder .*file.*set SVC_DATA_DIR/);
      return true;
    });
  });

  it('reports a file that is not a database', async () => {
    await writeFile(path.join(dataDir, 'svc.db'), 'certainly no database '.repeat(100));
    await assert.rejects(openDatabase({ dataDir }), (error) => {
      assert.ok(error instanceof UnreachableDatabaseError);
      assert.match(error.message, /svc\.db \(file is not a database\)/);
      return true;
    });
  });

  suiteNeeds('postgres', 'on PostgreSQL', () => {
    it('reports how to fix a missing database and a wrong password', async () => {
      const { url, dataDir } = await postgresOptions();
      for (const [change, expected] of [
        [{ pathname: '/absent' }, /\(.*\): create it with createdb absent, or correct its name in /],
        [{ password: 'wrong' }, /\(.*\): check the user and the password in SVC_DATABASE_URL$/],
      ] as const) {
        const other = new URL(url ?? '');
        Object.assign(other, change);
        await assert.rejects(openDatabase({ url: other.href, dataDir }), expected);
      }
    });
  });

  it('reports an unreachable PostgreSQL server immediately, without the password', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    const url = `postgres://someone:s3cret@127.0.0.1:${port}/things`;
    await assert.rejects(openDatabase({ dataDir, url }), (error) => {
      assert.ok(error instanceof UnreachableDatabaseError);
      assert.match(
        error.message,
        new RegExp(`things at 127\\.0\\.0\\.1:${port} .*ECONNREFUSED.*SVC_DATABASE_URL`),
      );
      assert.ok(!error.message.includes('s3cret'));
      return true;
    });
  });
});
