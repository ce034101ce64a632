import { createHash } from 'node:crypto';
import type SqliteConnection from 'better-sqlite3';
import type { Database } from '../database.ts';
import { withPostgresConnection, withSqliteConnection } from './with-connection.ts';

export type Row = Record<string, unknown>;

/** A read of the run path, asked on every call: the database plans it once a connection, and knex does not build it. */
export type PreparedQuery = (db: Database, parameters: readonly unknown[]) => Promise<Row[]>;

/** Prepares `sql`, in which `?` stands for each parameter in turn. It runs outside any transaction. */
export function prepareQuery(sql: string): PreparedQuery {
  const onSqlite = sqliteQuery(sql);
  const onPostgres = postgresQuery(sql);
  return (db, parameters) => (db.dialect === 'postgres' ? onPostgres : onSqlite)(db, parameters);
}

function sqliteQuery(sql: string): PreparedQuery {
  const statements = new WeakMap<SqliteConnection.Database, SqliteConnection.Statement>();
  return (db, parameters) =>
    withSqliteConnection(db, (connection) => {
      let statement = statements.get(connection);
      if (!statement) statements.set(connection, (statement = connection.prepare(sql)));
      return statement.all(...parameters) as Row[];
    });
}

function postgresQuery(sql: string): PreparedQuery {
  let count = 0;
  const text = sql.replaceAll('?', () => `$${(count += 1)}`);
  // A connection keeps its statements by name, and takes no other text under a name that it has.
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return (db, parameters) =>
    withPostgresConnection(db, async (connection) => {
      const { rows } = await connection.query<Row>({ name, text, values: [...parameters] });
      return rows;
    });
}
