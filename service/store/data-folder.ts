import { mkdtemp, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../objects/make-folder.ts';

/** The data folder cannot be used. The message gives the reason and the variable to set. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

/**
 * Creates the data folder unless it exists, and checks that files can be created in it.
 * @throws DataFolderError if the folder cannot be created or written to
 */
export async function makeDataFolder(dataDir: string): Promise<void> {
  await orExplained('create', dataDir, () => makeFolder(dataDir));
  // For root, permissions do not show that a file system is read-only.
  await orExplained('write to', dataDir, async () => rmdir(await mkdtemp(path.join(dataDir, '.probe-'))));
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
