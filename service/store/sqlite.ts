import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import SqliteConnection from 'better-sqlite3';
import makeKnex, { type Knex } from 'knex';
import { makeDataFolder } from './data-folder.ts';
import { UnreachableDatabaseError } from './database-errors.ts';
import { silentKnexLog } from './knex-log.ts';
import { busyTimeoutMs, prepareConnection, type SqliteSync } from './sqlite-connection.ts';

const busyPollMs = 5;

/**
 * Opens the embedded database, a file of the data folder.
 * @throws DataFolderError or UnreachableDatabaseError saying what is in the way.
 */
export async function openSqlite(dataDir: string, sync: SqliteSync): Promise<Knex> {
  await makeDataFolder(dataDir);
  const filename = sqliteFile(dataDir);
  const knex = makeKnex({
    client: 'better-sqlite3',
    // Errors carry the statement without its values, which may be sources, snapshots and hashes of keys.
    compileSqlOnError: false,
    log: silentKnexLog,
    connection: { filename },
    useNullAsDefault: true,
    pool: {
      min: 1,
      max: 1,
      afterCreate(connection: SqliteConnection.Database, done: (error?: Error) => void) {
        try {
          prepareConnection(connection, sync);
          done();
        } catch (error) {
          done(error as Error);
        }
      },
    },
  });
  beginImmediately(knex);
  try {
    await knex.raw('select 1');
    return knex;
  } catch (error) {
    await knex.destroy();
    throw new UnreachableDatabaseError(
      `cannot open the database ${filename} (${(error as Error).message}): set SVC_DATA_DIR to a folder that svc may write`,
      { cause: error },
    );
  }
}

/** Opens a second connection of a database that is open: it sees what is committed, and writes nothing. */
export function openSqliteReader(dataDir: string, sync: SqliteSync): SqliteConnection.Database {
  const reader = new SqliteConnection(sqliteFile(dataDir));
  prepareConnection(reader, sync);
  reader.pragma('query_only = ON');
  return reader;
}

/** Where the embedded database of a data folder stands. */
export function sqliteFile(dataDir: string): string {
  return path.join(dataDir, 'svc.db');
}

/** The part of knex's transactions that is not in its types. */
interface Transactions {
  client: {
    transaction(...args: unknown[]): { begin(connection: SqliteConnection.Database): Promise<unknown> };
  };
}

/**
 * Transactions take the write lock at their beginning. A deferred one that reads first and writes later fails at once, whatever
 * the busy timeout, when another process wrote in between.
 */
function beginImmediately(knex: Knex): void {
  const { client } = knex as unknown as Transactions;
  const transaction = client.transaction.bind(client);
  client.transaction = (...args) => {
    const made = transaction(...args);
    made.begin = takeWriteLock;
    return made;
  };
}

/** Waits without blocking the process, unlike SQLite's own busy timeout: transactions of others may last. */
async function takeWriteLock(connection: SqliteConnection.Database): Promise<void> {
  const deadline = performance.now() + busyTimeoutMs;
  for (;;) {
    connection.pragma('busy_timeout = 0');
    try {
      connection.exec('begin immediate');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    } finally {
      connection.pragma(`busy_timeout = ${busyTimeoutMs}`);
    }
    await pause(busyPollMs);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === 'SQLITE_BUSY';
}
