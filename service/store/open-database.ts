import type { Knex } from 'knex';
import type { Database } from './database.ts';
import { migrateDatabase } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite, type SqliteSync } from './sqlite.ts';

export interface DatabaseOptions {
  /** `postgres://...`; absent: SQLite in the data folder. */
  url?: string | null | undefined;
  /** Made when it does not exist. */
  dataDir: string;
  /** SQLite only, default `full`: what is committed survives a power cut. */
  sync?: SqliteSync | undefined;
}

/**
 * Opens the database. SQLite is brought up to date here; PostgreSQL by `svc migrate`, since its replicas must agree on when.
 * @throws UnreachableDatabaseError saying what to look at.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.url != null) return database(await openPostgres(options.url), 'postgres');
  const db = database(await openSqlite(options.dataDir, options.sync ?? 'full'), 'sqlite');
  try {
    await migrateDatabase(db);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

function database(knex: Knex, dialect: Database['dialect']): Database {
  return {
    knex,
    dialect,
    transaction: (work) => knex.transaction((tx) => work(tx)),
    close: () => knex.destroy(),
  };
}
