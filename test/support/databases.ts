import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Database } from '../../service/store/database.ts';
import { migrateDatabase } from '../../service/store/migrate.ts';
import { type DatabaseOptions, openDatabase } from '../../service/store/open-database.ts';
import { sqliteFile } from '../../service/store/sqlite-file.ts';
import { postgresServer } from './postgres-server.ts';
import { suiteNeeds } from './toolchains.ts';

/** Opens a fresh, migrated database, which is closed and removed when the suite ends. */
type Open = () => Promise<Database>;

/**
 * Declares a suite twice: on SQLite, and on a real PostgreSQL. `open` may be called from hooks and tests, as often as the
 * suite needs databases.
 */
export function eachDatabase(suite: (open: Open) => void): void {
  describe('on SQLite', () => suite(opener(migratedSqliteOptions)));
  suiteNeeds('postgres', 'on PostgreSQL', function () {
    // The first suite of the process waits for the server to start.
    this.timeout(180_000);
    suite(opener(migratedPostgresOptions));
  });
}

/** Opens another independent handle on the same database, as another process would. */
export async function openAgain(db: Database): Promise<Database> {
  const options = optionsOfDatabase(db);
  const twin = await openDatabase(options);
  twins.push(twin);
  return twin;
}

/** Returns the options with which another process opens the same database. */
export function optionsOfDatabase(db: Database): DatabaseOptions {
  const options = optionsOf.get(db);
  if (!options) throw new Error('not a database of eachDatabase');
  return options;
}

/** Creates a fresh SQLite data folder, not yet opened. */
export async function sqliteOptions(): Promise<DatabaseOptions> {
  return { dataDir: await mkdtemp(path.join(tmpdir(), 'svc-db-')), sync: 'off' };
}

/**
 * Creates a fresh SQLite database with the current schema. It is a copy, because creating one takes four times as long.
 */
export async function migratedSqliteOptions(): Promise<DatabaseOptions> {
  const options = await sqliteOptions();
  sqliteTemplate ??= migratedSqliteFile();
  await writeFile(sqliteFile(options.dataDir), await sqliteTemplate, { mode: 0o600 });
  return options;
}

let sqliteTemplate: Promise<Buffer> | undefined;

/** Returns the file of a migrated and closed SQLite database. */
async function migratedSqliteFile(): Promise<Buffer> {
  const options = await sqliteOptions();
  await (await openDatabase(options)).close();
  const file = await readFile(sqliteFile(options.dataDir));
  await rm(options.dataDir, { recursive: true });
  return file;
}

/** Creates a fresh PostgreSQL database, not yet migrated. */
export async function postgresOptions(): Promise<DatabaseOptions> {
  return { ...(await sqliteOptions()), url: await (await postgresServer()).createDatabase() };
}

/**
 * Creates a fresh PostgreSQL database with the current schema. It is a copy, because migrating takes longer than most
 * tests.
 */
export async function migratedPostgresOptions(): Promise<DatabaseOptions> {
  const server = await postgresServer();
  postgresTemplate ??= migratedTemplate();
  return { ...(await sqliteOptions()), url: await server.createDatabase(await postgresTemplate) };
}

let postgresTemplate: Promise<string> | undefined;

/** Returns the name of a migrated and closed database on the server of this process. */
async function migratedTemplate(): Promise<string> {
  const options = await postgresOptions();
  const db = await openDatabase(options);
  await migrateDatabase(db);
  await db.close();
  await rm(options.dataDir, { recursive: true });
  return new URL(options.url ?? '').pathname.slice(1);
}

const optionsOf = new WeakMap<Database, DatabaseOptions>();
const twins: Database[] = [];

function opener(makeOptions: () => Promise<DatabaseOptions>): Open {
  const opened: Database[] = [];
  after(async () => {
    for (const db of [...twins.splice(0), ...opened.splice(0)]) {
      await db.close();
      const dataDir = optionsOf.get(db)?.dataDir;
      if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
    }
  });
  return async () => {
    const options = await makeOptions();
    const db = await openDatabase(options);
    opened.push(db);
    optionsOf.set(db, options);
    await migrateDatabase(db);
    return db;
  };
}
