import { isRefusal } from '../database-errors.ts';
import type { Database } from '../database.ts';
import { commitRunsOnPostgres } from './commit-runs-on-postgres.ts';
import { valuesOfOperations } from './commit-values.ts';
import { createBatcher } from '../batcher.ts';
import type { RunOperation, RunOutcome } from './run-operation.ts';
import { commitOnSqlite } from './sqlite-commits.ts';

/** Writes operations on runs by group commit. docs/durability.md describes the guarantees. */
export interface RunWriter {
  /**
   * Resolves once the commit is durable. Rejects if the database fails. The operation may then have been committed,
   * and writing it again is safe.
   */
  write(operation: RunOperation): Promise<RunOutcome>;
  /** Rejects new operations, and waits for pending ones. */
  close(): Promise<void>;
}

interface RunWriterOptions {
  db: Database;
  /** Lifetime of an idempotency key, in milliseconds. */
  windowMs: number;
  /** Called before and after the commit of each batch. Tests use it to delay or kill the process. */
  probe?: ((point: 'before_commit' | 'after_commit', batch: readonly RunOperation[]) => unknown) | undefined;
}

const batchSize = 500;

/**
 * Creates a writer that may commit two batches concurrently. Operations on one run are ordered only if each waits for
 * the previous one. Close it before the database.
 */
export function createRunWriter({ db, windowMs, probe }: RunWriterOptions): RunWriter {
  const commitBatch = (batch: readonly RunOperation[]): Promise<RunOutcome[]> =>
    db.dialect === 'postgres'
      ? commitRunsOnPostgres(db, batch, windowMs)
      : commitOnSqlite(db, 'runs', valuesOfOperations(batch), windowMs);

  const commit = async (batch: readonly RunOperation[]): Promise<RunOutcome[]> => {
    if (probe) await probe('before_commit', batch);
    const outcomes = await commitBatch(batch);
    if (probe) await probe('after_commit', batch);
    return outcomes;
  };

  /** Commits a batch. If the database refuses a row, commits each operation alone. */
  const commitOrSplit = async (batch: readonly RunOperation[]): Promise<Settled[]> => {
    try {
      return (await commit(batch)).map((outcome) => ({ outcome }));
    } catch (error) {
      if (batch.length === 1 || !isRefusal(error)) return batch.map(() => ({ error }));
      const settled: Settled[] = [];
      for (const operation of batch) settled.push(...(await commitOrSplit([operation])));
      return settled;
    }
  };

  // One batch is written while the next one is prepared. SQLite has one writer and commits them one after the other.
  const lanes = 2;
  const batcher = createBatcher({ run: commitOrSplit, lanes, batchSize });
  return {
    write: async (operation) => {
      const settled = await batcher.push(operation);
      if ('error' in settled) throw settled.error;
      return settled.outcome;
    },
    close: () => batcher.close(),
  };
}

type Settled = { outcome: RunOutcome } | { error: unknown };
