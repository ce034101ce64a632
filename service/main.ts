import { type Logger, pino } from 'pino';
import { startApp } from './app.ts';
import type { Config } from './config.ts';
import { createIdleCollection, type IdleCollection } from './idle-collection.ts';
import { createLogger } from './logging/create-logger.ts';
import { makeDataFolder } from './store/data-folder.ts';
import { lockDataFolder } from './store/lock-data-folder.ts';
import { boundByFiles, openFileLimit } from './open-files.ts';
import { requireCurrentSchema } from './store/migrate.ts';
import { openDatabase } from './store/open-database.ts';

/** A started service, which accepts requests until it is stopped. */
export interface Service {
  /** Listening address, as `http://host:port`. */
  url: string;
  /** Address of the metrics, as `http://host:port/metrics`. */
  metricsUrl: string;
  /**
   * Drains the service and closes everything.
   *
   * @throws UncleanStopError once everything is closed, if something could not be stored
   */
  stop(): Promise<void>;
}

/**
 * Opens the database and starts the service. Logs go to stderr as JSON lines.
 *
 * @throws DataFolderError, OutdatedDatabaseError or UnreachableDatabaseError with a message that says what to do
 */
export async function startService(config: Config): Promise<Service> {
  // For the temporary files of libraries and of programs that the service starts. The service sets the modes of its own files.
  process.umask(0o077);
  const destination = pino.destination({ fd: 2, sync: false });
  const logger = createLogger({ level: config.logLevel, destination });
  // Node itself would print every field of the error, including the packet of a malformed request.
  const onUncaught = (error: unknown): void => {
    logger.fatal({ err: error }, 'the process ends after an unexpected failure');
    destination.flushSync();
    process.exit(1);
  };
  // With PostgreSQL, archives and large messages still need the folder.
  await makeDataFolder(config.dataDir);
  const lock = config.databaseUrl === null ? await lockDataFolder(config.dataDir) : undefined;
  try {
    const service = await startOnDatabase(config, logger);
    process.on('uncaughtException', onUncaught);
    return {
      url: service.url,
      metricsUrl: service.metricsUrl,
      stop: async () => {
        try {
          await service.stop();
        } finally {
          process.off('uncaughtException', onUncaught);
          lock?.release();
        }
      },
    };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** A statement that takes longer is waiting in vain for a lock or a response. */
const databaseSilenceMs = 30_000;

async function startOnDatabase(config: Config, logger: Logger): Promise<Service> {
  const { databaseUrl: url, dataDir, sync } = config;
  const db = await openDatabase({ url, dataDir, sync, watchFile: true, silenceMs: databaseSilenceMs });
  try {
    await requireCurrentSchema(db);
    const connections = await affordableConnections(config, logger);
    const app = await startApp({ config: { ...config, connections }, db, logger });
    const collection = startIdleCollection();
    return {
      url: app.url,
      metricsUrl: app.metricsUrl,
      stop: async () => {
        collection?.stop();
        try {
          await app.drain();
        } finally {
          await db.close();
        }
      },
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function affordableConnections(
  { connections }: Config,
  logger: Logger,
): Promise<Config['connections']> {
  const openFiles = await openFileLimit();
  const affordable = boundByFiles(connections, openFiles);
  if (affordable.total < connections.total) {
    logger.warn(
      { openFiles, configured: connections.total, accepted: affordable.total },
      'fewer connections are accepted than configured: raise the limit of open files (ulimit -n), or lower SVC_MAX_CONNECTIONS',
    );
  }
  return affordable;
}

/** Needs Node's flag `--expose-gc`, which the launcher sets. */
function startIdleCollection(): IdleCollection | undefined {
  const { gc } = globalThis;
  if (gc === undefined) return undefined;
  const collection = createIdleCollection({
    collect: () => gc({ type: 'major', flavor: 'last-resort', execution: 'async' }),
  });
  collection.start();
  return collection;
}
