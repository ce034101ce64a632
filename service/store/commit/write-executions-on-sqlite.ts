import type SqliteConnection from 'better-sqlite3';
import { type Execution, executions } from '../executions.ts';
import { toRow } from '../table.ts';
import type { WriteResult } from './write-result.ts';
import { upsertExecution } from './upsert-execution.ts';

const sql = upsertExecution((columns) => `values (${columns.map((name) => `@${name}`).join(', ')})`);

const statements = new WeakMap<SqliteConnection.Database, SqliteConnection.Statement>();

/** Writes the records in one transaction. A refused row does not affect the others. */
export function writeExecutionsOnSqlite(
  connection: SqliteConnection.Database,
  records: readonly Execution[],
): WriteResult[] {
  let statement = statements.get(connection);
  if (!statement) statements.set(connection, (statement = connection.prepare(sql)));
  const writeAll = connection.transaction(() => records.map((record) => writeOne(statement, record)));
  return writeAll.immediate();
}

function writeOne(statement: SqliteConnection.Statement, record: Execution): WriteResult {
  try {
    statement.run(toRow(executions, record));
    return undefined;
  } catch (error) {
    // Any other error, such as a full disk, may have ended the transaction and fails all records.
    if (!isRefusal(error)) throw error;
    return error;
  }
}

function isRefusal(error: unknown): error is Error {
  return error instanceof Error && String((error as { code?: unknown }).code).startsWith('SQLITE_CONSTRAINT');
}
