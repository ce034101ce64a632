import type { Knex } from 'knex';
import type { Database, Tx } from './database.ts';
import { OutdatedDatabaseError } from './database-errors.ts';
import { migrations } from './migrations/all-migrations.ts';

const historyTable = 'schema_migrations';

const settings: Knex.MigratorConfig = {
  tableName: historyTable,
  migrationSource: {
    getMigrations: () => Promise.resolve(Object.keys(migrations)),
    getMigrationName: (name: string) => name,
    getMigration: (name: string) => {
      const migration = migrations[name];
      if (migration === undefined) throw new Error(`no migration ${name}`);
      return Promise.resolve(migration);
    },
  },
};

/**
 * Applies the pending migrations in one transaction, and returns their names. Processes may call it concurrently: the first one
 * migrates, and the others wait. A crash leaves no partial migration and no lock, because knex's lock row is part of the
 * transaction.
 */
export async function migrateDatabase(db: Database): Promise<string[]> {
  if ((await pendingMigrations(db)).length === 0) return [];
  return db.transaction(async (tx) => {
    // SQLite's transactions are exclusive. The lock number is arbitrary.
    if (db.dialect === 'postgres') await tx.raw('select pg_advisory_xact_lock(7828031)');
    const [, names] = (await tx.migrate.latest(settings)) as [number, string[]];
    return names;
  });
}

/**
 * Returns the names of the pending migrations in order.
 * @throws OutdatedDatabaseError if a newer version of the program has migrated the database
 */
export async function pendingMigrations(db: Database): Promise<string[]> {
  const done = await doneMigrations(db.knex);
  const unknown = done.filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length > 0) {
    throw new OutdatedDatabaseError(
      `a newer version of svc has migrated the database (${unknown.join(', ')}): run that version or a later one`,
    );
  }
  return Object.keys(migrations).filter((name) => !done.includes(name));
}

/**
 * Checks that no migration is pending.
 *
 * @throws OutdatedDatabaseError if one is
 */
export async function requireCurrentSchema(db: Database): Promise<void> {
  const pending = await pendingMigrations(db);
  if (pending.length === 0) return;
  const isEmpty = pending.length === Object.keys(migrations).length;
  throw new OutdatedDatabaseError(
    isEmpty
      ? 'the database has no tables of svc yet: run svc migrate'
      : `the database is not up to date (pending: ${pending.join(', ')}): run svc migrate`,
  );
}

async function doneMigrations(tx: Tx): Promise<string[]> {
  if (!(await tx.schema.hasTable(historyTable))) return [];
  const rows = await tx<{ name: string }>(historyTable).select('name').orderBy('id');
  return rows.map((row) => row.name);
}
