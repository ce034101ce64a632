import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Creates a folder and its parents, unless they exist.
 *
 * Node's own `mkdir` with `recursive` never returns if the file system reports ENOENT for a folder whose parent exists, as `/proc`
 * does. This function rejects.
 *
 * @throws the file system's error, such as ENOTDIR, EACCES or ENOENT
 */
export async function makeFolder(folder: string): Promise<void> {
  const failure = await tryMkdir(folder);
  if (failure === undefined) return;
  const parent = path.dirname(folder);
  if (failure.code !== 'ENOENT' || parent === folder) throw failure;
  await makeFolder(parent);
  const again = await tryMkdir(folder);
  if (again !== undefined) throw again;
}

/** Returns the error, or `undefined` if the folder exists now. */
async function tryMkdir(folder: string): Promise<NodeJS.ErrnoException | undefined> {
  try {
    await mkdir(folder);
    return undefined;
  } catch (error) {
    // For an existing folder, a read-only file system reports EROFS, and others report EEXIST.
    return (await isFolder(folder)) ? undefined : (error as NodeJS.ErrnoException);
  }
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch {
    return false;
  }
}
