import { createHash } from 'node:crypto';
import type SqliteConnection from 'better-sqlite3';
import type { Database } from '../database.ts';
import { withPostgresConnection } from '../with-postgres-connection.ts';

/** A row by column names, with the values of the driver: PostgreSQL's returns `int8` as text. */
export type Row = Record<string, unknown>;

/** A query of the call path. The database plans it once per connection, and knex does not build it on every call. */
export type PreparedQuery = (db: Database, parameters: readonly unknown[]) => Promise<Row[]>;

/** Prepares a query with `?` for each parameter. It runs outside transactions. */
export function prepareQuery(sql: string): PreparedQuery {
  const onSqlite = sqliteQuery(sql);
  const onPostgres = postgresQuery(sql);
  return async (db, parameters) =>
    db.reader ? onSqlite(db.reader, parameters) : await onPostgres(db, parameters);
}

function sqliteQuery(
  sql: string,
): (reader: SqliteConnection.Database, parameters: readonly unknown[]) => Row[] {
  // If SQLite's planner considers the value of a parameter, it replans the query for each value. It ignores values after an
  // operator.
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
  // A connection keeps statements by name, so each text needs its own name.
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return (db, parameters) =>
    withPostgresConnection(db, async (connection) => {
      const { rows } = await connection.query<Row>({ name, text, values: [...parameters] });
      return rows;
    });
}
