import type { Knex } from 'knex';
import type { Database } from './database.ts';
import { migrateDatabase } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { createCommitThread } from './commit/commit-thread.ts';
import { openSqlite, openSqliteReader, sqliteFile } from './sqlite.ts';
import type { SqliteSync } from './sqlite-connection.ts';

export interface DatabaseOptions {
  /** `postgres://...`. Absent: SQLite in the data folder. */
  url?: string | null | undefined;
  /** Created if it does not exist. */
  dataDir: string;
  /** SQLite only. With `full`, the default, commits survive a power cut. */
  sync?: SqliteSync | undefined;
}

/**
 * Opens the database. Migrates SQLite; `svc migrate` migrates PostgreSQL, because the operator decides when replicas upgrade.
 * @throws DataFolderError or UnreachableDatabaseError with a message that says what to check
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, dataDir, sync = 'full' } = options;
  if (url != null) return database(await openPostgres(url), { dialect: 'postgres' });
  const knex = await openSqlite(dataDir, sync);
  const commits = createCommitThread({ file: sqliteFile(dataDir), sync });
  const reader = openSqliteReader(dataDir, sync);
  const db = database(knex, { dialect: 'sqlite', commits, reader });
  try {
    await migrateDatabase(db);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

function database(knex: Knex, kind: Pick<Database, 'dialect' | 'commits' | 'reader'>): Database {
  return {
    knex,
    ...kind,
    transaction: (work) => knex.transaction((tx) => work(tx)),
    close: async () => {
      await kind.commits?.close();
      kind.reader?.close();
      await knex.destroy();
    },
  };
}
