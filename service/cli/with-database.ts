import { type Config, loadConfig } from '../config.ts';
import type { Database } from '../store/database.ts';
import { requireCurrentSchema } from '../store/migrate.ts';
import { openDatabase } from '../store/open-database.ts';
import type { Terminal } from './output.ts';

/** Runs `work` on the configured database. */
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

/** Like `withDatabase`, for commands that need a migrated database: every command but `svc migrate`. */
export async function withCurrentDatabase<T>(
  terminal: Terminal,
  work: (db: Database, config: Config) => Promise<T>,
): Promise<T> {
  return withDatabase(terminal, async (db, config) => {
    await requireCurrentSchema(db);
    return work(db, config);
  });
}
