import { isUniqueViolation } from '../database-errors.ts';
import type { Database } from '../database.ts';
import { commitRunsToPostgres } from './commit-runs-to-postgres.ts';
import { valuesOfOperations } from './commit-values.ts';
import { createGroupCommit } from './group-commit.ts';
import type { RunOperation, RunOutcome } from './run-operation.ts';
import { commitOnSqlite } from './sqlite-commits.ts';

/** Writes the run path by group commit (DESIGN.md 6): nobody is answered before the commit is durable. */
export interface RunWriter {
  /** Rejects when the database failed: whether the operation was committed is then not known, and giving it again is safe. */
  write(operation: RunOperation): Promise<RunOutcome>;
  /** Waits for everything that was given, and takes no more. */
  close(): Promise<void>;
}

export interface RunWriterOptions {
  db: Database;
  /** How long a key keeps others of the same hash out, milliseconds. */
  windowMs: number;
  /** Told of every batch before it is committed and after it was; it may delay or end the process. */
  probe?: ((point: 'before_commit' | 'after_commit', batch: readonly RunOperation[]) => unknown) | undefined;
}

const batchSize = 500;

export function createRunWriter({ db, windowMs, probe }: RunWriterOptions): RunWriter {
  const commitBatch = (batch: readonly RunOperation[]): Promise<RunOutcome[]> =>
    db.dialect === 'postgres'
      ? commitRunsToPostgres(db, batch, windowMs)
      : commitOnSqlite(db, 'runs', valuesOfOperations(batch), windowMs);

  const commit = async (batch: readonly RunOperation[]): Promise<RunOutcome[]> => {
    if (probe) await probe('before_commit', batch);
    const outcomes = await commitBatch(batch);
    if (probe) await probe('after_commit', batch);
    return outcomes;
  };

  /** A transaction that fails is all or nothing. Of one whose rows are at fault each operation goes alone. */
  const commitApart = async (batch: readonly RunOperation[]): Promise<Settled[]> => {
    try {
      return (await commit(batch)).map((outcome) => ({ outcome }));
    } catch (error) {
      if (batch.length === 1 || !isRefusal(error)) return batch.map(() => ({ error }));
      const settled: Settled[] = [];
      for (const operation of batch) settled.push(...(await commitApart([operation])));
      return settled;
    }
  };

  // One batch is written out while the next one is put together; SQLite, which has one writer, takes them in turn.
  const lanes = 2;
  const group = createGroupCommit({ commit: commitApart, lanes, batchSize });
  return {
    write: async (operation) => {
      const settled = await group.push(operation);
      if ('error' in settled) throw settled.error;
      return settled.outcome;
    },
    close: () => group.close(),
  };
}

type Settled = { outcome: RunOutcome } | { error: unknown };

/** Bad data, violated constraints, and locks that two commits waited on crosswise: another try alone may do. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = String((error as { code?: unknown }).code);
  return isUniqueViolation(error) || code.startsWith('SQLITE_CONSTRAINT') || /^(2[23]|40)/.test(code);
}
