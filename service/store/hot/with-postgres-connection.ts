import type { ClientBase } from 'pg';
import type { Database } from '../database.ts';

/** Statements of the run path run on connections of knex's own pool, which its types keep to themselves. */
interface Connections {
  acquireConnection(): Promise<ClientBase>;
  releaseConnection(connection: ClientBase): Promise<void>;
}

/** Lends a connection of a PostgreSQL pool. */
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
