import type SqliteConnection from 'better-sqlite3';
import { executions } from '../executions.ts';
import { toRow } from '../table.ts';
import type { CallWrite } from './call-write.ts';
import type { WriteResult } from './write-result.ts';
import { upsertExecution } from './upsert-execution.ts';

const sql = upsertExecution((columns) => `values (${columns.map((name) => `@${name}`).join(', ')})`);

type Statements = ReturnType<typeof prepare>;

const prepared = new WeakMap<SqliteConnection.Database, Statements>();

function prepare(connection: SqliteConnection.Database) {
  return {
    upsert: connection.prepare(sql),
    append: connection.prepare(
      'insert into journal (tenant_id, execution_id, seq, body, at) values (@tenantId, @executionId, @seq, @body, @at)',
    ),
  };
}

/** Stores the writes in one transaction. A refused row does not affect the others. */
export function writeCallsOnSqlite(
  connection: SqliteConnection.Database,
  writes: readonly CallWrite[],
): WriteResult[] {
  let statements = prepared.get(connection);
  if (!statements) prepared.set(connection, (statements = prepare(connection)));
  const writeAll = connection.transaction(() => writes.map((write) => writeOne(statements, write)));
  return writeAll.immediate();
}

function writeOne({ upsert, append }: Statements, write: CallWrite): WriteResult {
  try {
    if ('execution' in write) upsert.run(toRow(executions, write.execution));
    else append.run(write.row);
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
