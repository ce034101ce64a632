import { chmod, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { makePrivateFolder } from '../objects/make-folder.ts';
import { privateFileMode, privateFolderMode } from '../objects/private-file.ts';
import { probeFolder } from '../objects/probe-folder.ts';

/** The data folder cannot be used. The message gives the reason and the variable to set. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

/**
 * Throws the error for a file in the data folder that this user may not read or write.
 *
 * @throws DataFolderError
 */
export function refuseAccess(file: string, error: unknown): never {
  throw new DataFolderError(
    `cannot use ${file} (${(error as Error).message}): let the user that runs svc own the data folder and its files`,
    { cause: error },
  );
}

/**
 * Creates the data folder unless it exists, makes files that earlier releases left in it private, and checks that files can be
 * created in it.
 *
 * @throws DataFolderError if the folder cannot be created or written to
 */
export async function makeDataFolder(dataDir: string): Promise<void> {
  await orExplained('create', dataDir, () => makePrivateFolder(dataDir));
  await orExplained('write to', dataDir, async () => {
    // Probe first: the owner of a folder without write permission could grant it, but has chosen not to.
    await probeFolder(dataDir);
    await narrowDataFolder(dataDir);
  });
}

/** Names of the files and folders in the data folder that belong to the service. */
const ownFiles = /^(?:svc\.(?:db|lock)(?:-wal|-shm|-journal)?|secret\.key.*)$/;
const ownFolders = ['archives', 'blobs'];

/** Removes other users' permissions, and no others, from everything that the service owns in the data folder. */
async function narrowDataFolder(dataDir: string): Promise<void> {
  const entries = await readdir(dataDir);
  const files = entries.filter((name) => ownFiles.test(name));
  const folders = entries.filter((name) => ownFolders.includes(name));
  for (const name of files) await narrow(path.join(dataDir, name));
  for (const name of folders) await narrowFolder(path.join(dataDir, name));
  // A folder that also holds other files, such as a home folder or /tmp, keeps its mode.
  const others = entries.filter(
    (name) => !name.startsWith('.') && !files.includes(name) && !folders.includes(name),
  );
  if (others.length === 0) await narrow(dataDir);
}

/**
 * Narrows a folder after everything in it. A folder that is already private is left alone: its content was private when it was
 * narrowed or created, and there may be millions of files.
 */
async function narrowFolder(folder: string): Promise<void> {
  const { mode } = await stat(folder);
  if ((mode & 0o777 & ~privateFolderMode) === 0) return;
  for (const entry of await readdir(folder, { recursive: true })) await narrow(path.join(folder, entry));
  await narrow(folder);
}

async function narrow(name: string): Promise<void> {
  try {
    const found = await stat(name);
    const mode = found.mode & 0o777;
    const narrowed = mode & (found.isDirectory() ? privateFolderMode : privateFileMode);
    if (mode !== narrowed) await chmod(name, narrowed);
  } catch (error) {
    // Another process deleted the file, another user owns it, or the file system has no modes.
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ENOENT', 'EPERM', 'ENOTSUP', 'EROFS'].includes(code)) throw error;
  }
}

async function orExplained(verb: string, dataDir: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const advice = isFull(error)
      ? 'free space on its disk'
      : 'set SVC_DATA_DIR to a folder that svc may write';
    throw new DataFolderError(
      `cannot ${verb} the data folder ${dataDir} (${(error as Error).message}): ${advice}`,
      { cause: error },
    );
  }
}

function isFull(error: unknown): boolean {
  const { code, cause } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' || (cause !== undefined && isFull(cause));
}
