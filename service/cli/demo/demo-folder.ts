import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Config, loadConfig } from '../../config.ts';
import { makeFolder } from '../../objects/make-folder.ts';
import { DataFolderInUseError, lockDataFolder } from '../../store/lock-data-folder.ts';
import { CliError } from '../output.ts';

/** In the working folder. */
const folder = 'data/demo';

/**
 * Configures the service of the demo by the environment, except for its data: `SVC_DATA_DIR` and `SVC_DATABASE_URL` may lead to those
 * of a service in use, and the demo deletes what it finds.
 */
export function demoConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const own = { SVC_PORT: '0', SVC_DATA_DIR: path.resolve(folder), SVC_DATABASE_URL: undefined };
  return loadConfig({ SVC_LOG_LEVEL: 'warn', ...env, ...own });
}

/**
 * Deletes what an earlier demo has left in its data folder.
 *
 * @throws CliError if a service runs on the folder
 */
export async function emptyDemoFolder(dataDir: string): Promise<void> {
  await makeFolder(dataDir);
  const lock = await lockDemoFolder(dataDir);
  try {
    const names = await readdir(dataDir);
    await Promise.all(names.map((name) => rm(path.join(dataDir, name), { recursive: true, force: true })));
  } finally {
    lock.release();
  }
}

async function lockDemoFolder(dataDir: string): ReturnType<typeof lockDataFolder> {
  try {
    return await lockDataFolder(dataDir);
  } catch (error) {
    if (!(error instanceof DataFolderInUseError)) throw error;
    throw new CliError(`another demo runs with the data in ${dataDir}: stop it with Ctrl-C first`);
  }
}
