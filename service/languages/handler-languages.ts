import path from 'node:path';
import type { Language } from '../../generator/language.ts';
import { listLanguages, loadLanguageFile } from './load-language.ts';

const templates = path.resolve(import.meta.dirname, '../../templates');

/** The languages that handlers can be written in, sorted by id. */
export async function handlerLanguages(): Promise<Map<string, Language>> {
  const languages = await Promise.all((await listLanguages()).map((id) => loadLanguageFile(id)));
  return new Map(
    languages
      .filter(({ handlerTypes, handlerPlugin }) => handlerTypes !== undefined || handlerPlugin !== undefined)
      .map((language) => [language.id, language]),
  );
}

/** Folder with the files of a new package in a language. */
export function packageTemplate(language: string): string {
  return path.join(templates, language, 'package');
}
