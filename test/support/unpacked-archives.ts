import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SdkModel } from '../../generator/model/sdk-model.ts';
import { sdkFiles } from '../../generator/sdk-files.ts';
import { loadLanguage } from '../../service/languages/load-language.ts';
import { listSdkFixtures, loadSdkFixture } from './sdk-fixtures.ts';

/** Archives of fixtures in one language, each unpacked into a subfolder of a temporary folder. */
export interface UnpackedArchives {
  root: string;
  /** Names of the fixtures and of their folders. */
  names: readonly string[];
  /** Files of each archive by path, by fixture. */
  files: ReadonlyMap<string, ReadonlyMap<string, string>>;
  remove: () => Promise<void>;
}

/** @param names fixtures, by default all */
export async function unpackArchives(
  languageId: string,
  names: readonly string[] = listSdkFixtures(),
): Promise<UnpackedArchives> {
  const root = await mkdtemp(path.join(tmpdir(), `svc-${languageId}-`));
  const files = new Map<string, ReadonlyMap<string, string>>();
  for (const name of names)
    files.set(name, await unpackModel(languageId, await loadSdkFixture(name), path.join(root, name)));
  return { root, names, files, remove: () => rm(root, { recursive: true, force: true }) };
}

/** Writes the archive of a client into a folder and returns its files by path. */
export async function unpackModel(
  languageId: string,
  model: SdkModel,
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const { language, templates } = await loadLanguage(languageId);
  const files = new Map<string, string>();
  for (const file of await sdkFiles(model, language, templates)) {
    const target = path.join(folder, file.path);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, file.content);
    files.set(file.path, Buffer.from(file.content).toString());
  }
  return files;
}
