import type { Knex } from 'knex';
import { makeDataFolder } from './data-folder.ts';
import type { Database } from './database.ts';
import { type DatabaseFile, openDatabaseFile } from './database-file.ts';
import { makeSqliteFile, sqliteFile } from './sqlite-file.ts';
import { migrateDatabase } from './migrate.ts';
import { openPostgres, postgresPool } from './postgres.ts';
import { createCommitThread } from './commit/commit-thread.ts';
import { openSqlite, openSqliteReader } from './sqlite.ts';
import type { SqliteSync } from './sqlite-connection.ts';

/** Which database to open, and how its connections behave. */
export interface DatabaseOptions {
  /** `postgres://...`. Defaults to SQLite in the data folder. */
  url?: string | null | undefined;
  /** Created if it does not exist. */
  dataDir: string;
  /** SQLite only. With `full`, the default, commits survive a power failure. */
  sync?: SqliteSync | undefined;
  /**
   * SQLite only: `ping` also checks the file. For a process that opens this database only once: closing a second file handle
   * would release the process's SQLite locks.
   */
  watchFile?: boolean | undefined;
  /**
   * PostgreSQL only: a connection that receives nothing for this long, in milliseconds, is closed, and its query
   * fails. Never closed if absent.
   */
  silenceMs?: number | undefined;
}

/**
 * How long the heartbeat connection may receive nothing, in milliseconds: a third of the time after which a replica
 * without a heartbeat counts as dead.
 */
const heartbeatSilenceMs = 5_000;

/**
 * Opens the database. Migrates SQLite; `svc migrate` migrates PostgreSQL, because the operator decides when replicas upgrade.
 * @throws DataFolderError or UnreachableDatabaseError with a message that says what to check
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, dataDir, sync = 'full', watchFile = false, silenceMs } = options;
  if (url != null) {
    const knex = await openPostgres(url, { maxConnections: 10, silenceMs });
    const heartbeats = postgresPool(url, { maxConnections: 1, silenceMs: heartbeatSilenceMs });
    return database(knex, { dialect: 'postgres', heartbeats });
  }
  await makeDataFolder(dataDir);
  await makeSqliteFile(dataDir);
  const file = watchFile ? await openDatabaseFile(sqliteFile(dataDir)) : undefined;
  let db: Database | undefined;
  try {
    const knex = await openSqlite(dataDir, sync);
    const commits = createCommitThread({ file: sqliteFile(dataDir), sync });
    const reader = openSqliteReader(dataDir, sync);
    db = database(knex, { dialect: 'sqlite', commits, reader, file });
    await migrateDatabase(db);
    return db;
  } catch (error) {
    await (db ?? file)?.close();
    throw error;
  }
}

function database(
  knex: Knex,
  {
    file,
    ...kind
  }: Pick<Database, 'dialect' | 'commits' | 'reader' | 'heartbeats'> & { file?: DatabaseFile | undefined },
): Database {
  return {
    knex,
    ...kind,
    ...(file && { file }),
    transaction: (work) => knex.transaction((tx) => work(tx)),
    close: async () => {
      await kind.commits?.close();
      kind.reader?.close();
      await kind.heartbeats?.destroy();
      await knex.destroy();
      await file?.close();
    },
  };
}
