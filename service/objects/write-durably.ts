import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { makePrivateFolder } from './make-folder.ts';
import { openPrivateFile } from './private-file.ts';

/**
 * Creates or replaces a private file. After a crash the file has its old or its new content, and once this returns, the new
 * content.
 */
export async function writeDurably(file: string, content: Uint8Array | string): Promise<void> {
  const folder = path.dirname(file);
  await makePrivateFolder(folder);
  // A name with a leading dot is not an object key, so an interrupted write is never listed.
  const temporary = path.join(folder, `.${path.basename(file)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await using handle = await openPrivateFile(temporary, 'wx');
    await handle.writeFile(content);
    await handle.sync();
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Makes the names in a folder durable. The name of a new file is on disk only once its folder is. */
export async function syncFolder(folder: string): Promise<void> {
  await using directory = await open(folder, 'r');
  await directory.sync();
}
