import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { openPrivateFile } from './private-file.ts';

/** Large enough to require new disk blocks: file systems store a few bytes with the file's name. */
const probeBytes = 16_384;

/**
 * Resolves if a file can be stored durably in a folder now. Writes one and deletes it, because neither permissions nor the free
 * space that a file system reports show whether a write succeeds.
 *
 * @throws Error with the file system's reason, without the path: readers of a health check need no paths
 */
export async function probeFolder(folder: string): Promise<void> {
  // A name with a leading dot is not an object key.
  const file = path.join(folder, `.probe-${randomBytes(6).toString('hex')}`);
  try {
    await using handle = await openPrivateFile(file, 'wx');
    // Unlinked at once, so that a process that is killed while it writes leaves no data behind.
    await rm(file);
    await handle.writeFile(randomBytes(probeBytes));
    await handle.sync();
  } catch (error) {
    throw new Error(`cannot write a file: ${reasonOf(error)}`, { cause: error });
  } finally {
    // The error already has the reason. A file system that refuses writes may also refuse this removal.
    await rm(file, { force: true }).catch(() => undefined);
  }
}

function reasonOf(error: unknown): string {
  const { errno, message } = error as NodeJS.ErrnoException;
  return errno === undefined ? message : getSystemErrorMessage(errno);
}
