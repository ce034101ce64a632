import { chmod, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { privateFolderMode } from './private-file.ts';

/**
 * Creates a folder and its parents, unless they exist.
 *
 * @param mode of the folders that it creates, regardless of the umask. Absent: the umask applies.
 *
 * Node's own `mkdir` with `recursive` never returns if the file system reports ENOENT for a folder whose parent exists, as `/proc`
 * does. This function rejects.
 *
 * @throws the file system's error, such as ENOTDIR, EACCES or ENOENT
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  const failure = await tryMkdir(folder, mode);
  if (failure === undefined) return;
  const parent = path.dirname(folder);
  if (failure.code !== 'ENOENT' || parent === folder) throw failure;
  await makeFolder(parent, mode);
  const again = await tryMkdir(folder, mode);
  if (again !== undefined) throw again;
}

/** Creates a folder and its parents, unless they exist, for the user of the service only. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await makeFolder(folder, privateFolderMode);
}

/** Returns the error, or `undefined` if the folder exists now. */
async function tryMkdir(folder: string, mode?: number): Promise<NodeJS.ErrnoException | undefined> {
  try {
    await mkdir(folder, mode);
    if (mode !== undefined) await chmod(folder, mode);
    return undefined;
  } catch (error) {
    // For an existing folder, a read-only file system reports EROFS, and others report EEXIST.
    return (await isFolder(folder)) ? undefined : (error as NodeJS.ErrnoException);
  }
}

/** Reports whether a path leads to a folder. False if it cannot be read. */
export async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch {
    return false;
  }
}
