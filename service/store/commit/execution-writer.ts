import { createBatcher } from '../batcher.ts';
import type { Database } from '../database.ts';
import type { Execution } from '../executions.ts';
import type { CallJournalRow, CallWrite } from './call-write.ts';
import { valuesOfCallWrites } from './commit-values.ts';
import type { WriteResult } from './write-result.ts';
import { writeCallsOnPostgres } from './write-calls-on-postgres.ts';
import { commitOnSqlite } from './sqlite-commits.ts';

/**
 * Writes the executions of direct node calls, and their journals, by group commit: writes that arrive during a commit share the
 * next one, so that many callers cost one transaction and one fsync.
 */
export interface ExecutionWriter {
  /**
   * Inserts the execution, or updates its status. Resolves once the write is committed. Rejects if the database refuses the row,
   * which does not affect other rows of the commit.
   */
  write(record: Execution): Promise<void>;
  /** Appends a row to the journal of a call. An execution written later is committed with it or after it. */
  append(row: CallJournalRow): Promise<void>;
  /** Rejects new writes, and waits for pending ones. */
  close(): Promise<void>;
}

/** Maximum number of writes per commit. It bounds the time that a write waits for earlier ones. */
const batchSize = 500;

/**
 * Creates a writer that commits one batch at a time, so writes are stored in the order of the calls. Close it before the
 * database.
 */
export function createExecutionWriter(db: Database): ExecutionWriter {
  const writes = createBatcher<CallWrite, WriteResult>({
    run: (batch) =>
      db.dialect === 'postgres'
        ? writeCallsOnPostgres(db, batch)
        : commitOnSqlite(db, 'calls', valuesOfCallWrites(batch)),
    lanes: 1,
    batchSize,
  });

  async function store(write: CallWrite): Promise<void> {
    const refusal = await writes.push(write);
    if (refusal !== undefined) throw refusal;
  }

  return {
    write: (execution) => store({ execution }),
    append: (row) => store({ row }),
    close: () => writes.close(),
  };
}
