import type SqliteConnection from 'better-sqlite3';
import type { ClientBase } from 'pg';
import type { Database } from '../database.ts';

/** Statements of the run path run on connections of knex's own pool, which its types keep to themselves. */
interface Connections<C> {
  acquireConnection(): Promise<C>;
  releaseConnection(connection: C): Promise<void>;
}

/** Lends the one connection of a SQLite database; waits for a transaction that holds it. */
export async function withSqliteConnection<T>(
  db: Database,
  use: (connection: SqliteConnection.Database) => T,
): Promise<T> {
  const client = db.knex.client as Connections<SqliteConnection.Database>;
  const connection = await client.acquireConnection();
  try {
    return use(connection);
  } finally {
    await client.releaseConnection(connection);
  }
}

/** Lends a connection of a PostgreSQL pool. */
export async function withPostgresConnection<T>(
  db: Database,
  use: (connection: ClientBase) => Promise<T>,
): Promise<T> {
  const client = db.knex.client as Connections<ClientBase>;
  const connection = await client.acquireConnection();
  try {
    return await use(connection);
  } finally {
    await client.releaseConnection(connection);
  }
}
