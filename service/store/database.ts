import type { Knex } from 'knex';
import type SqliteConnection from 'better-sqlite3';
import type { CommitThread } from './hot/commit-thread.ts';

/** Where a statement runs: the pool, or the transaction that it belongs to. */
export type Tx = Knex;

export interface Database {
  /**
   * The pool. SQLite's holds a single connection: inside a transaction use its `tx` for everything, or the statement waits for a
   * connection that the transaction itself holds.
   */
  knex: Knex;
  dialect: 'sqlite' | 'postgres';
  /** Commits the hot writes of an embedded database; PostgreSQL's go through its pool. */
  commits?: CommitThread;
  /**
   * A connection of an embedded database that reads what is committed, for the prepared statements of the call path: they wait for
   * nobody's transaction.
   */
  reader?: SqliteConnection.Database;
  /** Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Whether `tx` runs on PostgreSQL, for the few statements that differ. */
export function isPostgres(tx: Tx): boolean {
  return (tx.client as { config: Knex.Config }).config.client === 'pg';
}
