import path from 'node:path';
import type { UnpackedArchives } from '../../../support/unpacked-archives.ts';

/** Paths of the Java sources of all archives, relative to the root. */
export function sourcesOf({ files }: UnpackedArchives): string[] {
  return [...files].flatMap(([name, own]) =>
    [...own.keys()].filter((file) => file.endsWith('.java')).map((file) => path.join(name, file)),
  );
}
