import { createHash } from 'node:crypto';
import type SqliteConnection from 'better-sqlite3';
import type { Database } from '../database.ts';
import { withPostgresConnection } from './with-postgres-connection.ts';

export type Row = Record<string, unknown>;

/** A read of the run path, asked on every call: the database plans it once a connection, and knex does not build it. */
export type PreparedQuery = (db: Database, parameters: readonly unknown[]) => Promise<Row[]>;

/** Prepares `sql`, in which `?` stands for each parameter in turn. It runs outside any transaction. */
export function prepareQuery(sql: string): PreparedQuery {
  const onSqlite = sqliteQuery(sql);
  const onPostgres = postgresQuery(sql);
  return async (db, parameters) =>
    db.reader ? onSqlite(db.reader, parameters) : await onPostgres(db, parameters);
}

function sqliteQuery(
  sql: string,
): (reader: SqliteConnection.Database, parameters: readonly unknown[]) => Row[] {
  // SQLite plans a join again before each run when it looked at a parameter while it planned: it does not look behind an operator.
  const text = sql.replaceAll('?', '+?');
  const statements = new WeakMap<SqliteConnection.Database, SqliteConnection.Statement>();
  return (reader, parameters) => {
    let statement = statements.get(reader);
    if (!statement) statements.set(reader, (statement = reader.prepare(text)));
    return statement.all(...parameters) as Row[];
  };
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
