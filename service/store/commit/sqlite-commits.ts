import type SqliteConnection from 'better-sqlite3';
import type { Database } from '../database.ts';
import { commitRunsOnSqlite } from './commit-runs-on-sqlite.ts';
import { callWritesFrom, operationsFrom } from './commit-values.ts';
import { grantDrawsOnSqlite } from './grant-draws-on-sqlite.ts';
import { writeCallsOnSqlite } from './write-calls-on-sqlite.ts';

/** The commits of the SQLite commit thread. Each is one transaction over prepared statements. */
export const sqliteCommits = {
  runs: (connection: SqliteConnection.Database, values: readonly unknown[], windowMs: number) =>
    commitRunsOnSqlite(connection, operationsFrom(values), windowMs),
  calls: (connection: SqliteConnection.Database, values: readonly unknown[]) =>
    writeCallsOnSqlite(connection, callWritesFrom(values)),
  draws: grantDrawsOnSqlite,
};

type Commits = typeof sqliteCommits;
type ArgumentsOf<C> = C extends (connection: SqliteConnection.Database, ...args: infer A) => unknown
  ? A
  : never;

/** Runs a commit on the commit thread. Resolves once it is as durable as `SVC_SYNC` requires. */
export function commitOnSqlite<Name extends keyof Commits>(
  db: Database,
  name: Name,
  ...args: ArgumentsOf<Commits[Name]>
): Promise<ReturnType<Commits[Name]>> {
  if (!db.commits) throw new Error('only an embedded database has a commit thread');
  return db.commits.run(name, args) as Promise<ReturnType<Commits[Name]>>;
}
