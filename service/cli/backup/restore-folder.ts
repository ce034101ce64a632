import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { makePrivateFolder } from '../../objects/make-folder.ts';
import { syncFolder } from '../../objects/write-durably.ts';
import { makeDataFolder } from '../../store/data-folder.ts';
import { DataFolderInUseError, lockDataFolder, lockFileName } from '../../store/lock-data-folder.ts';
import { restoreStaging as staging } from '../../store/sqlite-file.ts';
import { CliError } from '../output.ts';
import { type BackupManifest, databaseName } from './backup-format.ts';
import { readBackup } from './read-backup.ts';

/**
 * Restores a backup into an empty data folder. No file gets its final name before the whole backup is checked, and the database
 * gets its name last: `svc serve` refuses the folder of an interrupted restore.
 *
 * @throws CliError or DataFolderError, with the same files in the folder as before, and no folder if there was none
 */
export async function restoreFolder(file: string, dataDir: string): Promise<BackupManifest> {
  const missing = missingFolders(dataDir);
  try {
    return await restoreInto(dataDir, file);
  } catch (error) {
    for (const folder of missing) await rmdir(folder).catch(() => undefined);
    throw error;
  }
}

/** Returns the folder and its parents that do not exist, from the inside out. */
function missingFolders(folder: string): string[] {
  const missing: string[] = [];
  for (let at = path.resolve(folder); !existsSync(at); at = path.dirname(at)) missing.push(at);
  return missing;
}

async function restoreInto(dataDir: string, file: string): Promise<BackupManifest> {
  await makeDataFolder(dataDir);
  const names = await readdir(dataDir);
  // A running service holds the lock, and the error about it is more useful than one about the files.
  let lock = names.includes(lockFileName) ? await lockForRestore(dataDir) : undefined;
  try {
    requireEmpty(dataDir, names);
    lock ??= await lockForRestore(dataDir);
    for (const name of names) {
      if (name.startsWith(staging)) await rm(path.join(dataDir, name), { recursive: true });
    }
    return await unpackInto(dataDir, file);
  } catch (error) {
    // While the lock is held, no other process uses the file.
    if (lock && !names.includes(lockFileName)) await rm(path.join(dataDir, lockFileName), { force: true });
    throw error;
  } finally {
    lock?.release();
  }
}

/** Locks the folder. A service that holds the lock serves the data in the folder. */
async function lockForRestore(dataDir: string): ReturnType<typeof lockDataFolder> {
  try {
    return await lockDataFolder(dataDir);
  } catch (error) {
    if (!(error instanceof DataFolderInUseError)) throw error;
    throw new CliError(
      `svc serve runs on the data folder ${dataDir}, and a backup is restored into an empty one: set SVC_DATA_DIR to an empty folder`,
    );
  }
}

function requireEmpty(dataDir: string, names: readonly string[]): void {
  const found = names.find(
    // SQLite may have left a journal of the lock.
    (name) => !name.startsWith(lockFileName) && name !== 'lost+found' && !name.startsWith(staging),
  );
  if (found === undefined) return;
  throw new CliError(
    `the data folder ${dataDir} is not empty (it has ${found}): set SVC_DATA_DIR to an empty folder, or move its content away`,
  );
}

async function unpackInto(dataDir: string, file: string): Promise<BackupManifest> {
  const unpacked = path.join(dataDir, staging + randomBytes(6).toString('hex'));
  await makePrivateFolder(unpacked);
  try {
    const manifest = await readBackup(file, unpacked);
    const names = (await readdir(unpacked)).filter((name) => name !== databaseName);
    for (const name of [...names, databaseName]) {
      await rename(path.join(unpacked, name), path.join(dataDir, name));
    }
    await syncFolder(dataDir);
    return manifest;
  } finally {
    await rm(unpacked, { recursive: true, force: true });
  }
}
