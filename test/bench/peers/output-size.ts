import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { zipFiles } from '../../../generator/archive/zip-files.ts';
import type { SdkFile } from '../../../generator/language.ts';
import { countDependencies } from './count-dependencies.ts';

/** How much a generator hands over. */
export interface OutputSize {
  files: number;
  /** Of all its text files, documents and tests among them. */
  lines: number;
  /** All of it, zipped the way our archives are. */
  zippedBytes: number;
  /** That a program takes on with it directly; undefined when it does not say. */
  dependencies: number | undefined;
}

export async function sizeOfFiles(files: readonly SdkFile[]): Promise<OutputSize> {
  const texts = files.map(({ path: place, content }) => ({
    path: place,
    text: typeof content === 'string' ? content : Buffer.from(content).toString('utf8'),
  }));
  return {
    files: files.length,
    lines: texts.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0),
    zippedBytes: (await zipFiles(files)).length,
    dependencies: countDependencies(texts),
  };
}

/** Of what a peer wrote into a folder. */
export async function sizeOfFolder(folder: string): Promise<OutputSize> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
  const files: SdkFile[] = [];
  for (const place of paths) {
    files.push({ path: place, content: new Uint8Array(await readFile(path.join(folder, place))) });
  }
  return sizeOfFiles(files);
}
