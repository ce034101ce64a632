import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { makeFolder } from '../objects/make-folder.ts';

/** Unpacks an SDK archive into a folder and creates the folder. Returns the paths in the archive's order. */
export async function unpackArchive(archive: Uint8Array, folder: string): Promise<string[]> {
  const files = Object.entries(unzipSync(archive));
  for (const [name, content] of files) {
    const file = path.join(folder, name);
    await makeFolder(path.dirname(file));
    await writeFile(file, content);
  }
  return files.map(([name]) => name);
}
