import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sdkFiles } from '../../../../generator/sdk-files.ts';
import { loadLanguage } from '../../../../service/builds/load-language.ts';
import { listSdkFixtures, loadSdkFixture } from '../../../support/sdk-fixtures.ts';

/** Archives of fixtures, unpacked into a temporary folder, a folder each. */
export interface JavaArchives {
  root: string;
  names: string[];
  /** Files of an archive by path. */
  files: ReadonlyMap<string, ReadonlyMap<string, string>>;
  remove(): Promise<void>;
}

export async function writeJavaArchives(names = listSdkFixtures()): Promise<JavaArchives> {
  const root = await mkdtemp(path.join(tmpdir(), 'svc-java-'));
  const { language, templates } = await loadLanguage('java');
  const files = new Map<string, Map<string, string>>();
  for (const name of names) {
    const own = new Map<string, string>();
    for (const file of await sdkFiles(await loadSdkFixture(name), language, templates)) {
      const target = path.join(root, name, file.path);
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, file.content);
      own.set(
        file.path,
        typeof file.content === 'string' ? file.content : new TextDecoder().decode(file.content),
      );
    }
    files.set(name, own);
  }
  return { root, names, files, remove: () => rm(root, { recursive: true, force: true }) };
}

/** Paths of the Java sources of all archives, beneath the root. */
export function sourcesOf({ files }: JavaArchives): string[] {
  return [...files].flatMap(([name, own]) =>
    [...own.keys()].filter((file) => file.endsWith('.java')).map((file) => path.join(name, file)),
  );
}
