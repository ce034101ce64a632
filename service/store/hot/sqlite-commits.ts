import type SqliteConnection from 'better-sqlite3';
import type { Database } from '../database.ts';
import { commitRuns } from './commit-runs-to-sqlite.ts';
import { executionsFrom, operationsFrom } from './commit-values.ts';
import { grantDraws } from './grant-draws-on-sqlite.ts';
import { writeExecutions } from './write-to-sqlite.ts';

/** The commits of the call path on SQLite. Each is one transaction over prepared statements, made in the commit thread. */
export const sqliteCommits = {
  runs: (connection: SqliteConnection.Database, values: readonly unknown[], windowMs: number) =>
    commitRuns(connection, operationsFrom(values), windowMs),
  executions: (connection: SqliteConnection.Database, values: readonly unknown[]) =>
    writeExecutions(connection, executionsFrom(values)),
  draws: grantDraws,
};

type Commits = typeof sqliteCommits;
type ArgumentsOf<C> = C extends (connection: SqliteConnection.Database, ...args: infer A) => unknown
  ? A
  : never;

/** Makes a commit in the database's thread; resolves when it is as durable as `SVC_SYNC` asks. */
export function commitOnSqlite<Name extends keyof Commits>(
  db: Database,
  name: Name,
  ...args: ArgumentsOf<Commits[Name]>
): Promise<ReturnType<Commits[Name]>> {
  if (!db.commits) throw new Error('only an embedded database has a commit thread');
  return db.commits.run(name, args) as Promise<ReturnType<Commits[Name]>>;
}
