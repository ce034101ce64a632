import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a folder with those above it; one that stands is left as it is.
 *
 * Node's own `recursive` never ends where a file system says ENOENT of a folder whose parent stands, as `/proc` does.
 *
 * @throws the error of the file system that is in the way, such as ENOTDIR, EACCES or ENOENT
 */
export async function makeFolder(folder: string): Promise<void> {
  const refusal = await refusalOf(folder);
  if (refusal === undefined) return;
  const parent = path.dirname(folder);
  if (refusal.code !== 'ENOENT' || parent === folder) throw refusal;
  await makeFolder(parent);
  const again = await refusalOf(folder);
  if (again !== undefined) throw again;
}

async function refusalOf(folder: string): Promise<NodeJS.ErrnoException | undefined> {
  try {
    await mkdir(folder);
    return undefined;
  } catch (error) {
    // A file system that can only be read says EROFS of a folder that stands, others EEXIST.
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
