import assert from 'node:assert/strict';
import { copyFile, mkdtemp, open, rename, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Database } from '../../../service/store/database.ts';
import { openDatabase } from '../../../service/store/open-database.ts';
import { ping } from '../../../service/store/ping.ts';

describe('the file of an open SQLite database', () => {
  let dataDir: string;
  let file: string;
  let db: Database;
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'svc-file-'));
    file = path.join(dataDir, 'svc.db');
    // Opened twice, so that the file has its tables, and not only the log.
    await (await openDatabase({ dataDir })).close();
    db = await openDatabase({ dataDir, watchFile: true });
    await check();
  });
  afterEach(async () => {
    await db.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const check = (): Promise<void> => ping(db, 'R1');
  const overwrite = async (position: number, text: string): Promise<void> => {
    await using handle = await open(file, 'r+');
    await handle.write(text, position);
  };
  const checkpoint = (): Promise<unknown> => db.knex.raw('pragma wal_checkpoint(truncate)');

  it('passes the check during writes and after a checkpoint', async () => {
    for (let round = 0; round < 3; round += 1) {
      await db.knex.raw('create table junk as select randomblob(100000) as bytes');
      await check();
      await checkpoint();
      await check();
      await db.knex.raw('drop table junk');
    }
  });

  it('passes the check after a vacuum', async () => {
    await db.knex.raw('create table junk as select randomblob(1000000) as bytes');
    await checkpoint();
    await check();
    await db.knex.raw('drop table junk');
    await db.knex.raw('vacuum');
    await check();
    const before = await stat(file);
    await checkpoint();
    assert.ok((await stat(file)).size < before.size - 900_000);
    await check();
  });

  it('is reported as removed until it is restored', async () => {
    for (const name of ['svc.db', 'svc.db-wal']) {
      const place = path.join(dataDir, name);
      await rename(place, `${place}.away`);
      await assert.rejects(check, { message: `the file ${name} was removed from the data folder` });
      await rename(`${place}.away`, place);
      await check();
    }
  });

  it('is reported as replaced when another file takes its place', async () => {
    for (const name of ['svc.db', 'svc.db-wal']) {
      const place = path.join(dataDir, name);
      await rename(place, `${place}.away`);
      await copyFile(`${place}.away`, place);
      await assert.rejects(check, { message: `the file ${name} was replaced by another one` });
      await rename(`${place}.away`, place);
      await check();
    }
  });

  it('is reported as removed together with its folder', async () => {
    await rename(dataDir, `${dataDir}-away`);
    await assert.rejects(check, /the file svc\.db was removed/);
    await rename(`${dataDir}-away`, dataDir);
  });

  it('is reported as damaged when truncated, even after SQLite writes to it again', async () => {
    const { size } = await stat(file);
    await truncate(file, size - 4_096);
    const damage = {
      message: `the database file is damaged: it was cut from ${size} to ${size - 4_096} bytes`,
    };
    await assert.rejects(check, damage);
    await truncate(file, size);
    await assert.rejects(check, damage);
  });

  for (const [what, damage] of [
    ['emptied', () => truncate(file, 0)],
    ['truncated within its header', () => truncate(file, 30)],
    ['overwritten at its start', () => overwrite(0, 'no database')],
    ['changed to another page size', () => overwrite(16, '\x20\x00')],
  ] as const) {
    it(`is reported as damaged when ${what}`, async () => {
      await damage();
      await assert.rejects(check, { message: 'the database file is damaged: its header was overwritten' });
    });
  }

  it('is private, like the files that SQLite creates beside it, regardless of the umask', async () => {
    await db.close();
    for (const umask of [0, 0o277, 0o777]) {
      await rm(dataDir, { recursive: true, force: true });
      const before = process.umask(umask);
      try {
        db = await openDatabase({ dataDir });
        await ping(db, 'R1');
      } finally {
        process.umask(before);
      }
      for (const name of ['svc.db', 'svc.db-wal', 'svc.db-shm']) {
        assert.equal((await stat(path.join(dataDir, name))).mode & 0o777, 0o600, `${name}, ${umask}`);
      }
      assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
      await db.close();
    }
  });
});
