import { setTimeout as pause } from 'node:timers/promises';
import SqliteConnection from 'better-sqlite3';
import makeKnex, { type Knex } from 'knex';
import { UnreachableDatabaseError } from './database-errors.ts';
import { silentKnexLog } from './knex-log.ts';
import { sqliteFile } from './sqlite-file.ts';
import { busyTimeoutMs, prepareConnection, type SqliteSync } from './sqlite-connection.ts';

const busyPollMs = 5;

/**
 * Opens the SQLite database in a data folder. Its file exists, as `makeSqliteFile` leaves it.
 * @throws UnreachableDatabaseError with a message that says what to check
 */
export async function openSqlite(dataDir: string, sync: SqliteSync): Promise<Knex> {
  const filename = sqliteFile(dataDir);
  const knex = makeKnex({
    client: 'better-sqlite3',
    // Errors contain the statement without its values, which may be sources, snapshots or key hashes.
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

/** Opens a read-only connection of an open database. It sees committed data. */
export function openSqliteReader(dataDir: string, sync: SqliteSync): SqliteConnection.Database {
  const reader = new SqliteConnection(sqliteFile(dataDir));
  prepareConnection(reader, sync);
  reader.pragma('query_only = ON');
  return reader;
}

/** The part of knex's transactions that is missing from its types. */
interface Transactions {
  client: {
    transaction(...args: unknown[]): { begin(connection: SqliteConnection.Database): Promise<unknown> };
  };
}

/**
 * Makes transactions take the write lock when they begin. A deferred transaction that reads first fails immediately, regardless of
 * the busy timeout, if another connection has written before its own first write.
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

/** Waits for the write lock without blocking the process, unlike SQLite's busy timeout. */
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
