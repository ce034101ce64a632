import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ConformanceRow } from '../../generator/documents/conformance-section.ts';
import type { Language } from '../../generator/language.ts';
import type { TemplateSet } from '../../generator/render/template-set.ts';

/** The folders of the SDK languages. They default to the project's own. Tests replace them. */
export interface LanguageFolders {
  /** Contains `languages/<id>/language.ts`. */
  generatorDir?: string;
  /** Contains `<id>/` and `documents/`. */
  templatesDir?: string;
}

const projectRoot = path.resolve(import.meta.dirname, '../..');
const ownGenerator = path.join(projectRoot, 'generator');
const ownTemplates = path.join(projectRoot, 'templates');

/** Returns the sorted ids of the languages of this release. Each folder in `generator/languages` is a language. */
export async function listLanguages({ generatorDir = ownGenerator }: LanguageFolders = {}): Promise<
  string[]
> {
  const entries = await readdir(path.join(generatorDir, 'languages'), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/**
 * Loads a language and its templates. Reads files, so load a language once for many archives.
 * @throws Error if the release has no such language, or its file does not export `language`
 */
export async function loadLanguage(
  id: string,
  places: LanguageFolders = {},
): Promise<{ language: Language; templates: TemplateSet }> {
  const { templatesDir = ownTemplates } = places;
  const language = await loadLanguageFile(id, places);
  // The service lists languages without their templates, so it starts without the library that compiles templates.
  const { compileTemplates } = await import('../../generator/render/compile-templates.ts');
  // The files of a variant replace the files of its base language.
  const folders = [language.variantOf, id]
    .filter((name) => name !== undefined)
    .map((name) => path.join(templatesDir, name));
  return {
    language,
    templates: compileTemplates({
      sdk: await readAll(folders, 'sdk', readTemplates),
      parts: await readAll(folders, 'parts', readTemplates),
      documents: await readTemplates(path.join(templatesDir, 'documents')),
      conformance: await readConformance(templatesDir, id),
      runtime: await readAll(folders, 'runtime', readSources),
    }),
  };
}

/**
 * Loads a language without its templates. This suffices for names and code samples.
 * @throws Error like `loadLanguage`
 */
export async function loadLanguageFile(id: string, places: LanguageFolders = {}): Promise<Language> {
  const { generatorDir = ownGenerator } = places;
  const known = await listLanguages(places);
  if (!known.includes(id)) throw new Error(`no generator for language "${id}" in this release`);
  const file = path.join(generatorDir, 'languages', id, 'language.ts');
  const { language } = (await import(pathToFileURL(file).href)) as { language?: Language };
  if (language?.id !== id) throw new Error(`${file} must export the language "${id}" as "language"`);
  return language;
}

/** Reads a folder of each language, by path. The result is sorted, so that the order does not depend on the language of a file. */
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

/** Returns the language's conformance results, if any. */
async function readConformance(templatesDir: string, id: string): Promise<ConformanceRow | undefined> {
  const text = await readFile(path.join(templatesDir, 'documents/conformance.json'), 'utf8').catch(ifMissing);
  return text === undefined ? undefined : (JSON.parse(text) as Record<string, ConformanceRow>)[id];
}

function ifMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}

interface FoundFile {
  /** Path relative to the folder, with `/`. */
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

/** Caches that tools leave next to sources. */
const leftovers = /(^|\/)(__pycache__|node_modules|\.[a-z]+_cache)(\/|$)/;

/** Lists all files under a folder, sorted by the code units of their names. A missing folder is empty. */
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
