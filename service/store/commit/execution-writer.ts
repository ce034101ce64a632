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

interface PendingWrite {
  write: CallWrite;
  settle: (outcome: WriteResult) => void;
}

/** Maximum number of writes per commit. It bounds the time that a write waits for earlier ones. */
const batchSize = 500;

/**
 * Creates a writer that commits one batch at a time, so writes are stored in the order of the calls. Close it before the
 * database.
 */
export function createExecutionWriter(db: Database): ExecutionWriter {
  const store = (writes: readonly CallWrite[]): Promise<WriteResult[]> =>
    db.dialect === 'postgres'
      ? writeCallsOnPostgres(db, writes)
      : commitOnSqlite(db, 'calls', valuesOfCallWrites(writes));
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
      return await store(batch.map(({ write }) => write));
    } catch (error) {
      return batch.map(() => (error instanceof Error ? error : new Error(String(error))));
    }
  }

  function enqueue(write: CallWrite): Promise<void> {
    if (closed) return Promise.reject(new Error('the execution writer is closed'));
    return new Promise((resolve, reject) => {
      queue.push({
        write,
        settle: (outcome) => {
          if (outcome === undefined) resolve();
          else reject(outcome);
        },
      });
      flushing ??= flush();
    });
  }

  return {
    write: (execution) => enqueue({ execution }),
    append: (row) => enqueue({ row }),
    async close() {
      closed = true;
      await flushing;
    },
  };
}
