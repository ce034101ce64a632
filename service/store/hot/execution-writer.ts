import type { Database } from '../database.ts';
import type { Execution } from '../executions.ts';
import { valuesOfExecutions } from './commit-values.ts';
import type { Outcome } from './outcome.ts';
import { writeToPostgres } from './write-to-postgres.ts';
import { commitOnSqlite } from './sqlite-commits.ts';

/**
 * Writes executions of the run path by group commit: whoever comes while one commit is under way shares the next, so that many
 * callers cost one transaction and one fsync.
 */
export interface ExecutionWriter {
  /**
   * Stores the execution as it is now: a new one, or the new status of one that stands. Resolves once it is committed, never
   * before; rejects when its own row was refused, which does not concern the others of its commit.
   */
  write(record: Execution): Promise<void>;
  /** Waits for everything that was given, and takes no more. */
  close(): Promise<void>;
}

interface Waiting {
  record: Execution;
  settle: (outcome: Outcome) => void;
}

/** Records a commit: bounds the time that a late caller waits for those before it. */
const batchSize = 500;

export function createExecutionWriter(db: Database): ExecutionWriter {
  const store = (records: readonly Execution[]): Promise<Outcome[]> =>
    db.dialect === 'postgres'
      ? writeToPostgres(db, records)
      : commitOnSqlite(db, 'executions', valuesOfExecutions(records));
  let queue: Waiting[] = [];
  let flushing: Promise<void> | undefined;
  let closed = false;

  async function flush(): Promise<void> {
    // The callers of this turn of the event loop go together.
    await new Promise(setImmediate);
    while (queue.length > 0) {
      const batch = queue.slice(0, batchSize);
      queue = queue.slice(batchSize);
      const outcomes = await storeBatch(batch);
      batch.forEach(({ settle }, index) => settle(outcomes[index]));
    }
    flushing = undefined;
  }

  async function storeBatch(batch: Waiting[]): Promise<Outcome[]> {
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
