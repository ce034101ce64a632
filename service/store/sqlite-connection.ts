import type SqliteConnection from 'better-sqlite3';

/** How far a commit goes before it is answered: `full` to the disk, `normal` may lose the last ones in a power cut. */
export type SqliteSync = 'full' | 'normal' | 'off';

/** How long a statement or a transaction waits for another connection that writes: a thread's, or another process's. */
export const busyTimeoutMs = 5_000;

/** Gives a new connection the settings that all connections of a database share. */
export function prepareConnection(connection: SqliteConnection.Database, sync: SqliteSync): void {
  connection.pragma(`busy_timeout = ${busyTimeoutMs}`);
  connection.pragma('journal_mode = WAL');
  connection.pragma(`synchronous = ${sync}`);
  connection.pragma('foreign_keys = ON');
}
