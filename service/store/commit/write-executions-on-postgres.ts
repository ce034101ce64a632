import type { Database } from '../database.ts';
import { type Execution, executions } from '../executions.ts';
import { toRow } from '../table.ts';
import type { WriteResult } from './write-result.ts';
import { upsertExecution } from './upsert-execution.ts';

const arrays = executions.fields.map(({ codec }) => `?::${codec.type}[]`).join(', ');
const statement = upsertExecution(() => `select * from unnest(${arrays})`);

/**
 * Writes the records in one statement over arrays. The statement is atomic, so if the database refuses a row, each record is
 * written alone.
 */
export async function writeExecutionsOnPostgres(
  db: Database,
  records: readonly Execution[],
): Promise<WriteResult[]> {
  try {
    await writeTogether(db, latestOfEach(records));
    return records.map(() => undefined);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (records.length === 1) return [error];
    const outcomes: WriteResult[] = [];
    for (const record of records) outcomes.push(...(await writeExecutionsOnPostgres(db, [record])));
    return outcomes;
  }
}

async function writeTogether(db: Database, records: readonly Execution[]): Promise<void> {
  const rows = records.map((record) => toRow(executions, record));
  const arrays = executions.fields.map(({ column }) => rows.map((row) => row[column]));
  await db.knex.raw(statement, arrays as never);
}

/** Keeps the last state of each execution, because a statement cannot update a row twice. */
function latestOfEach(records: readonly Execution[]): Execution[] {
  return [...new Map(records.map((record) => [`${record.tenantId} ${record.id}`, record])).values()];
}

/** SQLSTATE classes of invalid data and violated constraints. These errors concern a row, not the connection. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && /^2[23]/.test(String((error as { code?: unknown }).code));
}
