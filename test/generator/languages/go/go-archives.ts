import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { downloadGoModules } from '../../../support/go-tools.ts';
import { type UnpackedArchives, unpackArchives } from '../../../support/unpacked-archives.ts';

/** Archives of fixtures in one Go workspace, so that one command covers all. */
export interface GoArchives extends UnpackedArchives {
  /** Patterns of all packages: `./basic/...`. */
  packages: string[];
}

export async function writeGoArchives(fixtures?: readonly string[]): Promise<GoArchives> {
  const archives = await unpackArchives('go', fixtures);
  const { root, names } = archives;
  await writeFile(
    path.join(root, 'go.work'),
    `go 1.24\n\nuse (\n${names.map((name) => `\t./${name}\n`).join('')})\n`,
  );
  await downloadGoModules(path.join(root, names[0] ?? ''));
  return { ...archives, packages: names.map((name) => `./${name}/...`) };
}
