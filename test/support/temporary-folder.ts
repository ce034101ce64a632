import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder with files for one test. */
export interface TemporaryFolder {
  path: string;
  remove(): Promise<void>;
}

/**
 * Creates a temporary folder with files.
 * @param files texts by path beneath the folder
 */
export async function temporaryFolder(files: Readonly<Record<string, string>>): Promise<TemporaryFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-test-'));
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return { path: folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
