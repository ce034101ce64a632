import type { Knex } from 'knex';
import type SqliteConnection from 'better-sqlite3';
import type { CommitThread } from './commit/commit-thread.ts';
import type { DatabaseFile } from './database-file.ts';

/** The pool or a transaction to run a statement in. */
export type Tx = Knex;

/** An open database. Close it last, after everything that uses it. */
export interface Database {
  /**
   * The pool. SQLite's pool has a single connection: inside a transaction, run everything in its `tx`. Any other statement waits
   * for the connection that the transaction holds.
   */
  knex: Knex;
  dialect: 'sqlite' | 'postgres';
  /** PostgreSQL only: a connection for heartbeats, which must be on time even while requests use every connection of the pool. */
  heartbeats?: Knex;
  /** SQLite only: commits the writes of calls and runs. */
  commits?: CommitThread;
  /**
   * SQLite only: a connection that reads committed data for the prepared queries of the call path, so that they do not wait for
   * transactions.
   */
  reader?: SqliteConnection.Database;
  /** SQLite only, for a database that was opened with `watchFile`. */
  file?: DatabaseFile;
  /** Runs `work` in a transaction, which commits when `work` resolves and rolls back when it rejects. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Waits for pending commits of the commit thread, and closes all connections. */
  close(): Promise<void>;
}

/** Reports whether `tx` runs on PostgreSQL, for the few statements that differ. */
export function isPostgres(tx: Tx): boolean {
  return (tx.client as { config: Knex.Config }).config.client === 'pg';
}
