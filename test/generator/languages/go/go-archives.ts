import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sdkFiles } from '../../../../generator/sdk-files.ts';
import { loadLanguage } from '../../../../service/builds/load-language.ts';
import { listSdkFixtures, loadSdkFixture } from '../../../support/sdk-fixtures.ts';

/** Archives of fixtures, unpacked, a folder each, in a temporary folder that is a Go workspace: one command sees them all. */
export interface GoArchives {
  root: string;
  names: string[];
  /** Patterns of all packages: `./basic/...`. */
  packages: string[];
  /** Files of an archive by path. */
  files: ReadonlyMap<string, ReadonlyMap<string, string>>;
  remove(): Promise<void>;
}

export async function writeGoArchives(names = listSdkFixtures()): Promise<GoArchives> {
  const root = await mkdtemp(path.join(tmpdir(), 'svc-go-'));
  const { language, templates } = await loadLanguage('go');
  const files = new Map<string, Map<string, string>>();
  for (const name of names) {
    const own = new Map<string, string>();
    for (const file of await sdkFiles(await loadSdkFixture(name), language, templates)) {
      const target = path.join(root, name, file.path);
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, file.content);
      own.set(file.path, Buffer.from(file.content).toString());
    }
    files.set(name, own);
  }
  await writeFile(
    path.join(root, 'go.work'),
    `go 1.24\n\nuse (\n${names.map((name) => `\t./${name}\n`).join('')})\n`,
  );
  return {
    root,
    names,
    packages: names.map((name) => `./${name}/...`),
    files,
    remove: () => rm(root, { recursive: true, force: true }),
  };
}
