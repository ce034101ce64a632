import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import SqliteConnection from 'better-sqlite3';
import {
  createIdempotencyIndex,
  type IdempotencyIndex,
} from '../../../../service/store/commit/idempotency-index.ts';
import { migrateDatabase } from '../../../../service/store/migrate.ts';
import { openDatabase } from '../../../../service/store/open-database.ts';
import { deleteOldKeys } from '../../../../service/store/retention.ts';
import { prepareConnection } from '../../../../service/store/sqlite-connection.ts';

const windowMs = 1000;

describe('the index of idempotency keys on SQLite', () => {
  let folder: string;
  let file: string;
  let connections: SqliteConnection.Database[];
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-idempotency-'));
    connections = [];
    const db = await openDatabase({ dataDir: folder, sync: 'off' });
    await migrateDatabase(db);
    const [{ file: name }] = (await db.knex.raw('pragma database_list')) as [{ file: string }];
    file = name;
    await db.close();
  });
  afterEach(async () => {
    for (const connection of connections) connection.close();
    await rm(folder, { recursive: true });
  });

  const open = (): { connection: SqliteConnection.Database; keys: IdempotencyIndex } => {
    const connection = new SqliteConnection(file);
    prepareConnection(connection, 'off');
    connections.push(connection);
    return { connection, keys: createIdempotencyIndex(connection, windowMs) };
  };
  /** Takes the key for `executionId` in a transaction unless it is taken. Returns the holder. */
  const claim = (
    { connection, keys }: ReturnType<typeof open>,
    key: string,
    executionId: string,
    at: number,
    tenantId = 'acme',
  ): string => {
    const holder = connection
      .transaction(() => {
        keys.catchUp();
        const found = keys.holderOf(tenantId, key, at);
        if (found === undefined) keys.take(tenantId, key, executionId, at);
        return found;
      })
      .immediate();
    keys.committed();
    return holder ?? executionId;
  };

  it('finds the holder of a key on every connection', () => {
    const here = open();
    const there = open();
    assert.equal(claim(here, 'k', 'first', 0), 'first');
    assert.equal(claim(here, 'k', 'second', 1), 'first');
    assert.equal(claim(there, 'k', 'third', 2), 'first');
    assert.equal(claim(open(), 'k', 'fourth', 3), 'first');
    assert.equal(claim(there, 'l', 'fifth', 4), 'fifth');
    assert.equal(claim(here, 'l', 'sixth', 5), 'fifth');
  });

  it('frees a key exactly at the end of its window', () => {
    const here = open();
    const there = open();
    claim(here, 'k', 'first', 0);
    assert.equal(claim(there, 'k', 'second', windowMs - 1), 'first');
    assert.equal(claim(there, 'k', 'third', windowMs), 'third');
    assert.equal(claim(here, 'k', 'fourth', windowMs + 1), 'third');
  });

  it('holds every key for its whole window, regardless of the number of keys', () => {
    const here = open();
    for (let at = 0; at < 20 * windowMs; at += 10) {
      assert.equal(claim(here, `key ${at}`, `run ${at}`, at), `run ${at}`);
      const oldest = at - windowMs + 10;
      if (oldest >= 0) assert.equal(claim(here, `key ${oldest}`, 'late', at), `run ${oldest}`);
    }
  });

  it('distinguishes tenants and keys with the same suffix', () => {
    const here = open();
    const ends = 'the same twelve and more';
    assert.equal(claim(here, `one ${ends}`, 'first', 0), 'first');
    assert.equal(claim(here, `two ${ends}`, 'second', 1), 'second');
    assert.equal(claim(here, `one ${ends}`, 'third', 2, 'umbrella'), 'third');
    assert.equal(claim(here, `one ${ends}`, 'fourth', 3), 'first');
    assert.equal(claim(here, `two ${ends}`, 'fifth', 4), 'second');
    assert.equal(claim(here, `one ${ends}`, 'sixth', 5, 'umbrella'), 'third');
  });

  it('drops the keys of a transaction that is rolled back', () => {
    const here = open();
    const failing = here.connection.transaction(() => {
      here.keys.catchUp();
      here.keys.take('acme', 'k', 'never', 0);
      throw new Error('the disk is full');
    });
    assert.throws(() => failing.immediate(), /the disk is full/);
    assert.equal(claim(open(), 'other', 'elsewhere', 1), 'elsewhere');
    assert.equal(claim(here, 'k', 'second', 2), 'second');
    assert.equal(claim(here, 'other', 'third', 3), 'elsewhere');
  });

  it('works after a sweep has deleted old keys', async () => {
    const here = open();
    const there = open();
    for (const [at, key] of ['a', 'b', 'c'].entries()) claim(here, key, `run ${key}`, at);
    const db = await openDatabase({ dataDir: folder, sync: 'off' });
    assert.equal(await deleteOldKeys(db.knex, 10 * windowMs), 2, 'the newest stays');
    assert.equal(await deleteOldKeys(db.knex, 10 * windowMs), 0);
    await db.close();
    assert.equal(claim(there, 'a', 'again', 10 * windowMs), 'again');
    assert.equal(claim(here, 'a', 'too late', 10 * windowMs + 1), 'again');
  });
});
