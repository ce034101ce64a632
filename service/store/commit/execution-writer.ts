import type { Database } from '../database.ts';
import type { Execution } from '../executions.ts';
import { valuesOfExecutions } from './commit-values.ts';
import type { WriteResult } from './write-result.ts';
import { writeExecutionsOnPostgres } from './write-executions-on-postgres.ts';
import { commitOnSqlite } from './sqlite-commits.ts';

/**
 * Writes the executions of direct node calls by group commit: writes that arrive during a commit share the next one, so that many
 * callers cost one transaction and one fsync.
 */
export interface ExecutionWriter {
  /**
   * Inserts the execution, or updates its status. Resolves once the write is committed. Rejects if the database refuses the row,
   * which does not affect other rows of the commit.
   */
  write(record: Execution): Promise<void>;
  /** Rejects new writes, and waits for pending ones. */
  close(): Promise<void>;
}

interface PendingWrite {
  record: Execution;
  settle: (outcome: WriteResult) => void;
}

/** Maximum number of records per commit. It bounds the time that a record waits for the ones before it. */
const batchSize = 500;

export function createExecutionWriter(db: Database): ExecutionWriter {
  const store = (records: readonly Execution[]): Promise<WriteResult[]> =>
    db.dialect === 'postgres'
      ? writeExecutionsOnPostgres(db, records)
      : commitOnSqlite(db, 'executions', valuesOfExecutions(records));
  let queue: PendingWrite[] = [];
  let flushing: Promise<void> | undefined;
  let closed = false;

  async function flush(): Promise<void> {
    // Collects the writes of this turn of the event loop.
    await new Promise(setImmediate);
    while (queue.length > 0) {
      const batch = queue.slice(0, batchSize);
      queue = queue.slice(batchSize);
      const outcomes = await storeBatch(batch);
      batch.forEach(({ settle }, index) => settle(outcomes[index]));
    }
    flushing = undefined;
  }

  async function storeBatch(batch: PendingWrite[]): Promise<WriteResult[]> {
    try {
      return await store(batch.map(({ record }) => record));
    } catch (error) {
      return batch.map(() => (error instanceof Error ? error : new Error(String(error))));
    }
  }

  return {
    write(record) {
      if (closed) return Promise.reject(new Error('the execution writer is closed'));
      return new Promise((resolve, reject) => {
        queue.push({
          record,
          settle: (outcome) => {
            if (outcome === undefined) resolve();
            else reject(outcome);
          },
        });
        flushing ??= flush();
      });
    },
    async close() {
      closed = true;
      await flushing;
    },
  };
}
