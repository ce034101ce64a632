import type { Database } from '../database.ts';
import { type Execution, executions } from '../executions.ts';
import { toRow } from '../table.ts';
import type { CallWrite } from './call-write.ts';
import type { WriteResult } from './write-result.ts';
import { upsertExecution } from './upsert-execution.ts';

const arrays = executions.fields.map(({ codec }) => `?::${codec.type}[]`).join(', ');
const statement = upsertExecution(() => `select * from unnest(${arrays})`);

/** The same statement with journal rows, whose parameters come first. */
const statementWithRows = `with rows as (
    insert into journal (tenant_id, execution_id, seq, body, at)
    select * from unnest(?::text[], ?::text[], ?::int4[], ?::text[], ?::int8[])
  ) ${statement}`;

/**
 * Stores the writes in one statement over arrays. The statement is atomic, so if the database refuses a row, each
 * write is stored separately.
 */
export async function writeCallsOnPostgres(
  db: Database,
  writes: readonly CallWrite[],
): Promise<WriteResult[]> {
  try {
    await writeTogether(db, writes);
    return writes.map(() => undefined);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (writes.length === 1) return [error];
    const outcomes: WriteResult[] = [];
    for (const write of writes) outcomes.push(...(await writeCallsOnPostgres(db, [write])));
    return outcomes;
  }
}

async function writeTogether(db: Database, writes: readonly CallWrite[]): Promise<void> {
  const ended = latestOfEach(writes.flatMap((write) => ('execution' in write ? write.execution : [])));
  const records = ended.map((record) => toRow(executions, record));
  const values = executions.fields.map(({ column }) => records.map((record) => record[column]));
  const rows = writes.flatMap((write) => ('row' in write ? write.row : []));
  if (rows.length === 0) {
    await db.knex.raw(statement, values as never);
    return;
  }
  const rowValues = [
    rows.map(({ tenantId }) => tenantId),
    rows.map(({ executionId }) => executionId),
    rows.map(({ seq }) => seq),
    rows.map(({ body }) => body),
    rows.map(({ at }) => at),
  ];
  await db.knex.raw(statementWithRows, [...rowValues, ...values] as never);
}

/** Returns the last state of each execution, because a statement cannot update a row twice. */
function latestOfEach(records: readonly Execution[]): Execution[] {
  return [...new Map(records.map((record) => [`${record.tenantId} ${record.id}`, record])).values()];
}

/**
 * Reports whether an error concerns a row, not the connection: the SQLSTATE classes of invalid data and violated
 * constraints.
 */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && /^2[23]/.test(String((error as { code?: unknown }).code));
}
