import path from 'node:path';
import type { Language } from '../../generator/language.ts';
import { listLanguages, loadLanguageFile } from './load-language.ts';

const templates = path.resolve(import.meta.dirname, '../../templates');

/** The languages that handlers can be written in, sorted by id, each with what prints the types of a package. */
export async function handlerLanguages(): Promise<Map<string, NonNullable<Language['handlerTypes']>>> {
  const languages = await Promise.all((await listLanguages()).map((id) => loadLanguageFile(id)));
  return new Map(
    languages.flatMap(({ id, handlerTypes }) => (handlerTypes === undefined ? [] : [[id, handlerTypes]])),
  );
}

/** Folder with the files of a new package in a language. */
export function packageTemplate(language: string): string {
  return path.join(templates, language, 'package');
}
