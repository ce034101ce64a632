import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { zipFiles } from '../../../generator/archive/zip-files.ts';
import type { SdkFile } from '../../../generator/language.ts';
import { countDependencies } from './count-dependencies.ts';

/** Size of the output of a generator. */
export interface OutputSize {
  files: number;
  /** Lines of all text files, including documents and tests. */
  lines: number;
  /** The whole output, zipped like our archives. */
  zippedBytes: number;
  /** Direct dependencies that a program takes on; undefined if unknown. */
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

/** Size of the output of a peer in a folder. */
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
