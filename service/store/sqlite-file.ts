import { access, constants, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { openPrivateFile } from '../objects/private-file.ts';
import { DataFolderError, refuseAccess } from './data-folder.ts';

/** Returns the path of the SQLite database in a data folder. */
export function sqliteFile(dataDir: string): string {
  return path.join(dataDir, 'svc.db');
}

/**
 * Creates the file of the SQLite database unless it exists. SQLite creates its other files with the same mode, 0600.
 *
 * @throws DataFolderError if the folder has data that belongs to a database, or if the file cannot be read and written
 */
export async function makeSqliteFile(dataDir: string): Promise<void> {
  const file = sqliteFile(dataDir);
  const size = await sizeIfPresent(file);
  // SQLite treats an empty file as a new database.
  if (size === undefined || size === 0) await requireNoOtherData(dataDir);
  // A file of an open database must not be opened: closing it would release SQLite's locks of this process.
  if (size === undefined) await (await openPrivateFile(file, 'a')).close();
  else
    await access(file, constants.R_OK | constants.W_OK).catch((error: unknown) => refuseAccess(file, error));
}

/** Prefix of the folder in a data folder into which `svc restore` unpacks a backup. */
export const restoreStaging = '.restore-';

/** @throws DataFolderError if a folder without a database has data that belongs to one, or is half restored */
export async function requireNoOtherData(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch(() => []);
  if (names.some((name) => name.startsWith(restoreStaging))) {
    throw new DataFolderError(
      `svc restore was interrupted in the data folder ${dataDir}: run it again, or empty the folder to start without the backup`,
    );
  }
  const found: string[] = [];
  if ((await sizeIfPresent(path.join(dataDir, 'secret.key'))) !== undefined) found.push('secret.key');
  for (const folder of ['archives', 'blobs']) {
    if (await hasObjects(path.join(dataDir, folder))) found.push(`${folder}/`);
  }
  if (found.length === 0) return;
  throw new DataFolderError(
    `the data folder ${dataDir} has ${found.join(' and ')}, but no database: restore svc.db from the backup, set SVC_DATABASE_URL if the database is PostgreSQL, or set SVC_DATA_DIR to an empty folder to start anew`,
  );
}

/** Reports whether a folder contains objects. Files with a leading dot are leftovers of puts and checks. */
async function hasObjects(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  return names.some((name) => !name.startsWith('.'));
}

async function sizeIfPresent(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
