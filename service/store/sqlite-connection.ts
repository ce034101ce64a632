import type SqliteConnection from 'better-sqlite3';

/** SQLite's `synchronous`. With `full`, commits survive a power failure. With `normal`, the last commits may be lost. */
export type SqliteSync = 'full' | 'normal' | 'off';

/** Time that a statement or transaction waits for another connection that writes. */
export const busyTimeoutMs = 5_000;

/** Applies the settings that all connections of a database share. */
export function prepareConnection(connection: SqliteConnection.Database, sync: SqliteSync): void {
  connection.pragma(`busy_timeout = ${busyTimeoutMs}`);
  connection.pragma('journal_mode = WAL');
  connection.pragma(`synchronous = ${sync}`);
  connection.pragma('foreign_keys = ON');
}
