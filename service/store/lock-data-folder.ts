import path from 'node:path';
import SqliteConnection from 'better-sqlite3';
import { openPrivateFile } from '../objects/private-file.ts';
import { DataFolderError } from './data-folder.ts';

/** File of a data folder that the process serving it has locked. */
export const lockFileName = 'svc.lock';

/** The right to serve a data folder. */
interface DataFolderLock {
  release(): void;
}

/** Another process serves the folder. */
export class DataFolderInUseError extends DataFolderError {}

/**
 * Takes the right to serve a data folder with a SQLite database. Commands that use the database alongside the service do not need
 * it. The lock is SQLite's on a separate file, so the system releases it however the process ends.
 *
 * @throws DataFolderInUseError if another process serves the folder
 */
export async function lockDataFolder(dataDir: string): Promise<DataFolderLock> {
  const file = path.join(dataDir, lockFileName);
  await makeLockFile(file);
  const connection = new SqliteConnection(file, { timeout: 0 });
  try {
    connection.exec('begin exclusive');
  } catch (error) {
    connection.close();
    if ((error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error;
    throw new DataFolderInUseError(
      `another svc serve runs on the data folder ${dataDir}: stop it, set SVC_DATA_DIR to another folder, or set SVC_DATABASE_URL to run several on PostgreSQL`,
    );
  }
  return { release: () => connection.close() };
}

/** An existing file is not opened: closing it would release the lock if this process holds it. */
async function makeLockFile(file: string): Promise<void> {
  try {
    await (await openPrivateFile(file, 'wx')).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
