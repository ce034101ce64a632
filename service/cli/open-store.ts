import { type Config, loadConfig } from '../config.ts';
import type { Database } from '../store/database.ts';
import { requireCurrentSchema } from '../store/migrate.ts';
import { openDatabase } from '../store/open-database.ts';
import type { Terminal } from './output.ts';

/** Opens the configured database, runs `work` on it and closes it again. */
export async function withDatabase<T>(
  terminal: Terminal,
  work: (db: Database, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig(terminal.env);
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

/** The same for commands that need every table to stand; `svc migrate` is the one that does not. */
export async function withCurrentDatabase<T>(
  terminal: Terminal,
  work: (db: Database, config: Config) => Promise<T>,
): Promise<T> {
  return withDatabase(terminal, async (db, config) => {
    await requireCurrentSchema(db);
    return work(db, config);
  });
}
