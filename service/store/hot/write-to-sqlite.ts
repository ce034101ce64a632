import type SqliteConnection from 'better-sqlite3';
import { type Execution, executions } from '../executions.ts';
import { toRow } from '../table.ts';
import type { Outcome } from './outcome.ts';
import { upsertExecution } from './upsert-execution.ts';

const sql = upsertExecution((columns) => `values (${columns.map((name) => `@${name}`).join(', ')})`);

const statements = new WeakMap<SqliteConnection.Database, SqliteConnection.Statement>();

/** One transaction over a prepared statement. A refused row leaves the others standing. */
export function writeExecutions(
  connection: SqliteConnection.Database,
  records: readonly Execution[],
): Outcome[] {
  let statement = statements.get(connection);
  if (!statement) statements.set(connection, (statement = connection.prepare(sql)));
  const writeAll = connection.transaction(() => records.map((record) => writeOne(statement, record)));
  return writeAll.immediate();
}

function writeOne(statement: SqliteConnection.Statement, record: Execution): Outcome {
  try {
    statement.run(toRow(executions, record));
    return undefined;
  } catch (error) {
    // Anything but a refusal (a full disk) may have ended the transaction, and is everybody's failure.
    if (!isRefusal(error)) throw error;
    return error;
  }
}

function isRefusal(error: unknown): error is Error {
  return error instanceof Error && String((error as { code?: unknown }).code).startsWith('SQLITE_CONSTRAINT');
}
