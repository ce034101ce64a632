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
 * Runs the pending migrations, all or none, and gives their names. Safe to call from several processes at once: the first
 * does the work, the others wait and find nothing to do. One that dies in the middle leaves nothing behind, no lock either,
 * because knex's own lock row is part of the same transaction.
 */
export async function migrateDatabase(db: Database): Promise<string[]> {
  if ((await pendingMigrations(db)).length === 0) return [];
  return db.transaction(async (tx) => {
    // SQLite's transaction is exclusive by itself; the number is arbitrary and only ours.
    if (db.dialect === 'postgres') await tx.raw('select pg_advisory_xact_lock(7828031)');
    const [, names] = (await tx.migrate.latest(settings)) as [number, string[]];
    return names;
  });
}

/**
 * Names of the migrations that the database still lacks, in order.
 * @throws OutdatedDatabaseError when it has ones that this program does not know: a newer version was here.
 */
export async function pendingMigrations(db: Database): Promise<string[]> {
  const done = await doneMigrations(db.knex);
  const unknown = done.filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length > 0) {
    throw new OutdatedDatabaseError(
      `the database was migrated by a newer version of svc (it has ${unknown.join(', ')}): run that version or a later one`,
    );
  }
  return Object.keys(migrations).filter((name) => !done.includes(name));
}

/** @throws OutdatedDatabaseError that says to run `svc migrate` when a migration is pending. */
export async function requireCurrentSchema(db: Database): Promise<void> {
  const pending = await pendingMigrations(db);
  if (pending.length === 0) return;
  throw new OutdatedDatabaseError(
    `the database is not up to date (pending: ${pending.join(', ')}): run svc migrate`,
  );
}

async function doneMigrations(tx: Tx): Promise<string[]> {
  if (!(await tx.schema.hasTable(historyTable))) return [];
  const rows = await tx<{ name: string }>(historyTable).select('name').orderBy('id');
  return rows.map((row) => row.name);
}
