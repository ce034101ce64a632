import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sdkFiles } from '../../../../generator/sdk-files.ts';
import { loadLanguage } from '../../../../service/builds/load-language.ts';
import { listSdkFixtures, loadSdkFixture } from '../../../support/sdk-fixtures.ts';

/** Archives of fixtures, unpacked, a folder each, in a temporary folder. */
export interface CsharpArchives {
  root: string;
  /** Files of an archive by path, by the name of the fixture. */
  files: ReadonlyMap<string, ReadonlyMap<string, string>>;
  remove(): Promise<void>;
}

export async function writeCsharpArchives(names = listSdkFixtures()): Promise<CsharpArchives> {
  const root = await mkdtemp(path.join(tmpdir(), 'svc-csharp-'));
  const { language, templates } = await loadLanguage('csharp');
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
  return { root, files, remove: () => rm(root, { recursive: true, force: true }) };
}
