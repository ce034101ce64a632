import type { Database } from '../database.ts';
import { type Execution, executions } from '../executions.ts';
import { toRow } from '../table.ts';
import { executionColumnType } from './execution-column-type.ts';
import type { Outcome } from './outcome.ts';
import { upsertExecution } from './upsert-execution.ts';

const statement = upsertExecution(
  (columns) =>
    `select * from unnest(${columns.map((name) => `?::${executionColumnType(name)}[]`).join(', ')})`,
);

/**
 * One statement over arrays, which is its own transaction. It is all or nothing, so when a row is refused each goes alone: rare
 * enough to cost that.
 */
export async function writeToPostgres(db: Database, records: readonly Execution[]): Promise<Outcome[]> {
  try {
    await writeTogether(db, latestOfEach(records));
    return records.map(() => undefined);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (records.length === 1) return [error];
    const outcomes: Outcome[] = [];
    for (const record of records) outcomes.push(...(await writeToPostgres(db, [record])));
    return outcomes;
  }
}

async function writeTogether(db: Database, records: readonly Execution[]): Promise<void> {
  const rows = records.map((record) => toRow(executions, record));
  const arrays = executions.fields.map(({ column }) => rows.map((row) => row[column]));
  await db.knex.raw(statement, arrays as never);
}

/** A statement may not touch a row twice: of several states of one execution the last is the one to store. */
function latestOfEach(records: readonly Execution[]): Execution[] {
  return [...new Map(records.map((record) => [`${record.tenantId} ${record.id}`, record])).values()];
}

/** SQLSTATE classes of bad data and of violated constraints: a row's own fault, unlike a lost connection. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && /^2[23]/.test(String((error as { code?: unknown }).code));
}
