import { pino } from 'pino';
import { startApp } from './app.ts';
import type { Config } from './config.ts';
import { createLogger } from './logging/create-logger.ts';
import { makeDataFolder } from './store/data-folder.ts';
import { requireCurrentSchema } from './store/migrate.ts';
import { openDatabase } from './store/open-database.ts';

export interface Service {
  /** Listening address, as `http://host:port`. */
  url: string;
  /** Drains the service and closes everything. */
  stop(): Promise<void>;
}

/**
 * Opens the database and starts the service. Logs go to stderr as JSON lines.
 *
 * @throws DataFolderError, OutdatedDatabaseError or UnreachableDatabaseError with a message that says what to do
 */
export async function startService(config: Config): Promise<Service> {
  const destination = pino.destination({ fd: 2, sync: false });
  const logger = createLogger({ level: config.logLevel, destination });
  // Node itself would print every field of the error, the packet of a malformed request included.
  const onUncaught = (error: unknown): void => {
    logger.fatal({ err: error }, 'the process ends after an unexpected failure');
    destination.flushSync();
    process.exit(1);
  };
  // Archives and large messages need the folder with PostgreSQL too.
  await makeDataFolder(config.dataDir);
  const db = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir, sync: config.sync });
  try {
    await requireCurrentSchema(db);
    const app = await startApp({ config, db, logger });
    process.on('uncaughtException', onUncaught);
    return {
      url: app.url,
      stop: async () => {
        await app.drain();
        await db.close();
        process.off('uncaughtException', onUncaught);
      },
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Resolves with the first SIGTERM or SIGINT. A second one ends the process immediately. */
export function stopRequested(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals): void => {
      process.off('SIGTERM', onSignal).off('SIGINT', onSignal);
      resolve(signal);
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  });
}
