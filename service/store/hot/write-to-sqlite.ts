import type SqliteConnection from 'better-sqlite3';
import type { Database } from '../database.ts';
import { type Execution, executions } from '../executions.ts';
import { toRow } from '../table.ts';
import type { Outcome } from './outcome.ts';
import { upsertExecution } from './upsert-execution.ts';

/** The part of knex that hands out its connection. */
interface Connections {
  acquireConnection(): Promise<SqliteConnection.Database>;
  releaseConnection(connection: SqliteConnection.Database): Promise<void>;
}

const statements = new WeakMap<SqliteConnection.Database, SqliteConnection.Statement>();

/** One transaction over a prepared statement, on knex's own connection. A refused row leaves the others standing. */
export async function writeToSqlite(db: Database, records: readonly Execution[]): Promise<Outcome[]> {
  const client = db.knex.client as Connections;
  const connection = await client.acquireConnection();
  try {
    const statement = prepared(connection);
    const outcomes: Outcome[] = [];
    connection
      .transaction(() => {
        for (const record of records) {
          try {
            statement.run(toRow(executions, record));
            outcomes.push(undefined);
          } catch (error) {
            // Anything else (a full disk) may have ended the transaction, and is everybody's failure.
            if (!isRefusal(error)) throw error;
            outcomes.push(error);
          }
        }
      })
      .immediate();
    return outcomes;
  } finally {
    await client.releaseConnection(connection);
  }
}

function prepared(connection: SqliteConnection.Database): SqliteConnection.Statement {
  const known = statements.get(connection);
  if (known) return known;
  const made = connection.prepare(
    upsertExecution((columns) => `values (${columns.map((name) => `@${name}`).join(', ')})`),
  );
  statements.set(connection, made);
  return made;
}

function isRefusal(error: unknown): error is Error {
  return error instanceof Error && String((error as { code?: unknown }).code).startsWith('SQLITE_CONSTRAINT');
}
