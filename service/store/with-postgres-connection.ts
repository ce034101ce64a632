import type { ClientBase } from 'pg';
import type { Database } from './database.ts';

/** Access to the connections of knex's pool, which is missing from knex's types. */
interface Connections {
  acquireConnection(): Promise<ClientBase>;
  releaseConnection(connection: ClientBase): Promise<void>;
}

/** Runs `use` with a connection of the PostgreSQL pool. */
export async function withPostgresConnection<T>(
  db: Database,
  use: (connection: ClientBase) => Promise<T>,
): Promise<T> {
  const client = db.knex.client as Connections;
  const connection = await client.acquireConnection();
  try {
    return await use(connection);
  } finally {
    await client.releaseConnection(connection);
  }
}
