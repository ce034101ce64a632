import { mkdtemp, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from './make-folder.ts';

/** Nothing can be kept in the data folder; the message says what is in the way and which variable names another. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

/**
 * Makes the folder that the database, archives and large messages stand in, unless it stands.
 * @throws DataFolderError when it can't be made or written in.
 */
export async function makeDataFolder(dataDir: string): Promise<void> {
  await orExplained('make', dataDir, () => makeFolder(dataDir));
  // Rights alone tell root nothing of file systems that refuse all the same.
  await orExplained('write in', dataDir, async () => rmdir(await mkdtemp(path.join(dataDir, '.probe-'))));
}

async function orExplained(verb: string, dataDir: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new DataFolderError(
      `cannot ${verb} the data folder ${dataDir} (${(error as Error).message}): set SVC_DATA_DIR to a folder that svc may write`,
      { cause: error },
    );
  }
}
