import { setTimeout as pause } from 'node:timers/promises';
import SqliteConnection from 'better-sqlite3';
import makeKnex, { type Knex } from 'knex';
import { isDamaged, UnreachableDatabaseError } from './database-errors.ts';
import { silentKnexLog } from './knex-log.ts';
import { sqliteFile } from './sqlite-file.ts';
import { busyTimeoutMs, prepareConnection, type SqliteSync } from './sqlite-connection.ts';

const busyPollMs = 5;

/**
 * Opens the SQLite database in a data folder. Its file must exist, as `makeSqliteFile` leaves it.
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
          connection.pragma('busy_timeout = 0');
          done();
        } catch (error) {
          done(error as Error);
        }
      },
    },
  });
  waitForWriteLock(knex);
  try {
    await knex.raw('select 1');
    return knex;
  } catch (error) {
    await knex.destroy();
    const { message } = error as Error;
    const remedy = isDamaged(error)
      ? 'the file is damaged, restore a backup with svc restore'
      : 'set SVC_DATA_DIR to a folder that svc may write';
    throw new UnreachableDatabaseError(`cannot open the database ${filename} (${message}): ${remedy}`, {
      cause: error,
    });
  }
}

/** Opens a read-only connection of an open database. It sees committed data. */
export function openSqliteReader(dataDir: string, sync: SqliteSync): SqliteConnection.Database {
  const reader = new SqliteConnection(sqliteFile(dataDir));
  prepareConnection(reader, sync);
  reader.pragma('query_only = ON');
  return reader;
}

/** The parts of knex's client that are missing from its types. */
interface Client {
  transaction(...args: unknown[]): { begin(connection: SqliteConnection.Database): Promise<unknown> };
  _query(connection: SqliteConnection.Database, query: unknown): Promise<unknown>;
}

/**
 * Makes statements and transactions wait for the write lock without blocking the process, unlike SQLite's busy timeout. The
 * thread that commits runs repeatedly takes the lock, so a wait can be long. A transaction takes the lock when it begins: one
 * that reads first would fail if another connection had written before its own first write.
 */
function waitForWriteLock(knex: Knex): void {
  const { client } = knex as unknown as { client: Client };
  const query = client._query.bind(client);
  client._query = (connection, each) => whenNotBusy(() => query(connection, each));
  const transaction = client.transaction.bind(client);
  client.transaction = (...args) => {
    const made = transaction(...args);
    made.begin = (connection) => whenNotBusy(() => connection.exec('begin immediate'));
    return made;
  };
}

/** Retries an operation while SQLite refuses it because another connection is writing. */
async function whenNotBusy<Result>(run: () => Result | Promise<Result>): Promise<Result> {
  const deadline = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    await pause(busyPollMs);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === 'SQLITE_BUSY';
}
