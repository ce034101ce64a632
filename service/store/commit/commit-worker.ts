import { parentPort, workerData } from 'node:worker_threads';
import SqliteConnection from 'better-sqlite3';
import { prepareConnection, type SqliteSync } from '../sqlite-connection.ts';
import type { CommitAnswer, CommitJob, CommitThreadOptions } from './commit-thread.ts';
import { sqliteCommits } from './sqlite-commits.ts';

const { file, sync } = workerData as CommitThreadOptions;
const connection = new SqliteConnection(file);
prepareConnection(connection, sync as SqliteSync);

const commits = sqliteCommits as unknown as Record<
  string,
  (connection: SqliteConnection.Database, ...args: readonly unknown[]) => unknown
>;

parentPort?.on('message', ({ name, args }: CommitJob) => {
  parentPort?.postMessage(answer(name, args));
});

function answer(name: string, args: readonly unknown[]): CommitAnswer {
  try {
    return { ok: true, result: commits[name]?.(connection, ...args) };
  } catch (error) {
    return { ok: false, error, code: (error as { code?: unknown }).code };
  }
}
