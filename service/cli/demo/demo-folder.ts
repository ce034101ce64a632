import { lstat, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Config, loadConfig } from '../../config.ts';
import { makeFolder } from '../../objects/make-folder.ts';
import { DataFolderInUseError, lockDataFolder, lockFileName } from '../../store/lock-data-folder.ts';
import { CliError } from '../output.ts';

/** Relative to the working folder. */
const folder = 'data/demo';
/** Marks a folder that a demo has created and may delete. */
const marker = 'made-by-svc-demo';

/**
 * Configures the demo's service from the environment, except for its data: `SVC_DATA_DIR` and `SVC_DATABASE_URL` may point to the
 * data of a service in use, and the demo deletes what it finds.
 */
export function demoConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const own = { SVC_PORT: '0', SVC_DATA_DIR: path.resolve(folder), SVC_DATABASE_URL: undefined };
  return loadConfig({ SVC_LOG_LEVEL: 'warn', ...env, ...own });
}

/**
 * Deletes what an earlier demo left in its data folder.
 *
 * @throws CliError if the folder has other files, or a service is using it
 */
export async function emptyDemoFolder(dataDir: string): Promise<void> {
  await makeFolder(dataDir);
  await requireOwnFolder(dataDir);
  const lock = await lockDemoFolder(dataDir);
  try {
    // The lock keeps other demos out meanwhile.
    const names = (await readdir(dataDir)).filter((name) => name !== marker && name !== lockFileName);
    await Promise.all(names.map((name) => rm(path.join(dataDir, name), { recursive: true, force: true })));
    await writeFile(path.join(dataDir, marker), 'The next demo deletes this folder.\n');
  } finally {
    lock.release();
  }
}

async function requireOwnFolder(dataDir: string): Promise<void> {
  const names = await readdir(dataDir);
  const isLink = (await lstat(dataDir)).isSymbolicLink();
  if (!isLink && (names.length === 0 || names.includes(marker))) return;
  throw new CliError(
    `${dataDir} was not created by svc demo, which deletes its data folder: move it away first`,
  );
}

async function lockDemoFolder(dataDir: string): ReturnType<typeof lockDataFolder> {
  try {
    return await lockDataFolder(dataDir);
  } catch (error) {
    if (!(error instanceof DataFolderInUseError)) throw error;
    throw new CliError(`another demo uses ${dataDir}: stop it with Ctrl-C first`);
  }
}
