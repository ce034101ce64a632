import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Config, defaultDataDir, loadConfig } from '../config.ts';
import type { Database } from '../store/database.ts';
import { makeDataFolder } from '../store/data-folder.ts';
import { requireNoOtherData, sqliteFile } from '../store/sqlite-file.ts';
import { CliError, note, type Terminal } from './output.ts';

/**
 * Runs `work` on the configured database.
 *
 * @throws CliError if the data folder has no database and `creates` is false
 */
export async function withDatabase<T>(
  terminal: Terminal,
  work: (db: Database, config: Config) => Promise<T>,
  { creates = true }: { creates?: boolean } = {},
): Promise<T> {
  const config = loadConfig(terminal.env);
  if (!creates) await requireDatabase(config);
  await noteDataFolder(terminal, config);
  // Imported here, so that the help of a command does not load the database's libraries.
  const { openDatabase } = await import('../store/open-database.ts');
  const db = await openDatabase({
    url: config.databaseUrl,
    dataDir: config.dataDir,
    sync: config.sync,
  });
  try {
    return await work(db, config);
  } finally {
    await db.close();
  }
}

/**
 * Like `withDatabase`, for commands that need a migrated database: every command but `svc migrate`.
 *
 * @throws CliError if the data folder has no database, unless `creates` is set: a new database cannot contain what the command is
 * about
 */
export async function withCurrentDatabase<T>(
  terminal: Terminal,
  work: (db: Database, config: Config) => Promise<T>,
  { creates = false }: { creates?: boolean } = {},
): Promise<T> {
  return withDatabase(
    terminal,
    async (db, config) => {
      const { requireCurrentSchema } = await import('../store/migrate.ts');
      await requireCurrentSchema(db);
      return work(db, config);
    },
    { creates },
  );
}

/** @throws CliError if the data folder has no SQLite database; if it has other svc data, the error says so */
export async function requireDatabase({ databaseUrl, dataDir }: Config): Promise<void> {
  const folder = path.resolve(dataDir);
  if (databaseUrl !== null || existsSync(sqliteFile(folder))) return;
  // If the folder has other data, the missing database is reported first.
  await requireNoOtherData(dataDir);
  throw new CliError(
    `there is no database in ${folder}: set SVC_DATA_DIR to the folder of your data (svc serve and svc tenant create make a new one)`,
  );
}

/**
 * Notes which data folder a command uses if the user may not expect it: a new one, or one that is not the
 * default. With PostgreSQL, the folder does not matter.
 *
 * @throws DataFolderError if a new folder cannot be created or written to, or has data of another database
 */
export async function noteDataFolder(terminal: Terminal, { databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl !== null) return;
  const folder = path.resolve(dataDir);
  if (!existsSync(sqliteFile(folder))) {
    await makeDataFolder(dataDir);
    await requireNoOtherData(dataDir);
    note(
      terminal,
      `there is no database in ${folder} yet: creating one; if your data is elsewhere, set SVC_DATA_DIR to its folder`,
    );
  } else if (folder !== path.resolve(defaultDataDir)) {
    note(terminal, `using the data folder ${folder}`);
  }
}
