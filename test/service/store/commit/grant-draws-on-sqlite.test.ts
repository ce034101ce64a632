import assert from 'node:assert/strict';
import SqliteConnection from 'better-sqlite3';
import { grantDrawsOnSqlite } from '../../../../service/store/commit/grant-draws-on-sqlite.ts';
import { prepareConnection, type SqliteSync } from '../../../../service/store/sqlite-connection.ts';

describe('a draw on SQLite', () => {
  const table =
    'create table daily_usage (tenant_id, day, invocations, executions, primary key (tenant_id, day))';
  const draws = [{ tenantId: 't', day: 1, cap: 3, wanted: 2 }];
  let connection: SqliteConnection.Database;
  let statements: string[];
  afterEach(() => connection.close());

  const open = (sync: SqliteSync): void => {
    statements = [];
    connection = new SqliteConnection(':memory:', {
      verbose: (text) => statements.push(String(text).trim().split(/\s/).slice(0, 4).join(' ')),
    });
    prepareConnection(connection, sync);
    connection.exec(table);
    assert.deepEqual(grantDrawsOnSqlite(connection, draws), [2]);
    statements.length = 0;
  };
  const levels: Readonly<Record<SqliteSync, [own: number, ofDraws: number]>> = {
    full: [2, 1],
    normal: [1, 1],
    off: [0, 0],
  };

  for (const sync of ['full', 'normal', 'off'] as const) {
    const [own, ofDraws] = levels[sync];

    it(`skips the sync to disk, which the next commit performs as before (${sync})`, () => {
      open(sync);
      assert.deepEqual(grantDrawsOnSqlite(connection, draws), [1]);
      assert.equal(statements[0], `PRAGMA synchronous = ${ofDraws}`);
      assert.deepEqual(statements.slice(-2), ['COMMIT', `PRAGMA synchronous = ${own}`]);
    });

    it(`restores the connection after a failure (${sync})`, () => {
      open(sync);
      connection.exec('drop table daily_usage');
      assert.throws(() => grantDrawsOnSqlite(connection, draws), /no such table: daily_usage/);
      assert.equal(connection.pragma('synchronous', { simple: true }), own);
    });
  }
});
