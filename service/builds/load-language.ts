import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ConformanceRow } from '../../generator/documents/conformance-section.ts';
import type { Language } from '../../generator/language.ts';
import type { TemplateSet } from '../../generator/render/template-set.ts';

/** Where languages are found: the project's own folders unless a test says otherwise. */
export interface LanguageFolders {
  /** Holds `languages/<id>.ts`. */
  generatorDir?: string;
  /** Holds `<id>/` and `documents/`. */
  templatesDir?: string;
}

const projectRoot = path.resolve(import.meta.dirname, '../..');
const ownGenerator = path.join(projectRoot, 'generator');
const ownTemplates = path.join(projectRoot, 'templates');

/** Ids of the languages that this release generates, sorted: no list names them, their files do. */
export async function listLanguages({ generatorDir = ownGenerator }: LanguageFolders = {}): Promise<
  string[]
> {
  const entries = await readdir(path.join(generatorDir, 'languages'), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => entry.name.slice(0, -'.ts'.length))
    .sort();
}

/**
 * A language and its templates. Reads files: load once, use for many archives.
 * @throws Error when the release has no such language, or its file does not export it as `language`.
 */
export async function loadLanguage(
  id: string,
  places: LanguageFolders = {},
): Promise<{ language: Language; templates: TemplateSet }> {
  const { templatesDir = ownTemplates } = places;
  const language = await loadLanguageFile(id, places);
  // What a variant has itself is read last and takes the place of what it shares.
  const folders = [language.variantOf, id]
    .filter((name) => name !== undefined)
    .map((name) => path.join(templatesDir, name));
  return {
    language,
    templates: {
      sdk: await readAll(folders, 'sdk', readTemplates),
      parts: await readAll(folders, 'parts', readTemplates),
      documents: await readTemplates(path.join(templatesDir, 'documents')),
      conformance: await readConformance(templatesDir, id),
      runtime: await readAll(folders, 'runtime', readSources),
    },
  };
}

/**
 * What the file of a language exports, without the templates: enough to ask for names and programs.
 * @throws Error as `loadLanguage` does
 */
export async function loadLanguageFile(id: string, places: LanguageFolders = {}): Promise<Language> {
  const { generatorDir = ownGenerator } = places;
  const known = await listLanguages(places);
  if (!known.includes(id)) throw new Error(`no generator for language "${id}" in this release`);
  const file = path.join(generatorDir, 'languages', `${id}.ts`);
  const { language } = (await import(pathToFileURL(file).href)) as { language?: Language };
  if (language?.id !== id) throw new Error(`${file} must export the language "${id}" as "language"`);
  return language;
}

/** What stands in a folder of each language, by path; sorted, so that nothing depends on whose a file is. */
async function readAll<Content>(
  languages: readonly string[],
  folder: string,
  read: (folder: string) => Promise<ReadonlyMap<string, Content>>,
): Promise<ReadonlyMap<string, Content>> {
  const found = await Promise.all(languages.map((language) => read(path.join(language, folder))));
  const merged = new Map(found.flatMap((files) => [...files]));
  return new Map([...merged].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

async function readSources(folder: string): Promise<ReadonlyMap<string, Uint8Array>> {
  return new Map(await Promise.all((await listFiles(folder)).map(readEntry)));
}

/** The language's row of the suite's results; none where there are no results. */
async function readConformance(templatesDir: string, id: string): Promise<ConformanceRow | undefined> {
  const text = await readFile(path.join(templatesDir, 'documents/conformance.json'), 'utf8').catch(ifMissing);
  return text === undefined ? undefined : (JSON.parse(text) as Record<string, ConformanceRow>)[id];
}

function ifMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}

interface FoundFile {
  /** Beneath the folder, with `/`. */
  name: string;
  file: string;
}

async function readTemplates(folder: string): Promise<ReadonlyMap<string, string>> {
  const templates = (await listFiles(folder)).filter(({ name }) => name.endsWith('.hbs'));
  const read = templates.map(async ({ name, file }): Promise<[string, string]> => [
    name.slice(0, -'.hbs'.length),
    await readFile(file, 'utf8'),
  ]);
  return new Map(await Promise.all(read));
}

async function readEntry({ name, file }: FoundFile): Promise<[string, Uint8Array]> {
  return [name, await readFile(file)];
}

/** Caches that tools leave beside the sources which they were run on. */
const leftovers = /(^|\/)(__pycache__|node_modules|\.[a-z]+_cache)(\/|$)/;

/** All files beneath a folder, sorted by name in code unit order; none when there is no such folder. */
async function listFiles(folder: string): Promise<FoundFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(ifMissing);
  return (entries ?? [])
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return { name: path.relative(folder, file).split(path.sep).join('/'), file };
    })
    .filter(({ name }) => !leftovers.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
