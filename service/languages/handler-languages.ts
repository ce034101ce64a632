import { existsSync } from 'node:fs';
import path from 'node:path';

const templates = path.resolve(import.meta.dirname, '../../templates');

/** The file that identifies the language of a package's handlers, by language. */
const tellingFiles: Readonly<Record<string, string>> = {
  typescript: 'handlers.ts',
  python: 'serve.py',
  go: 'go.mod',
};

/** Ids of the languages that handlers can be written in. */
export const handlerLanguages: readonly string[] = Object.keys(tellingFiles);

/** Returns the language of the handlers in a package folder, TypeScript if no file identifies it. */
export function languageOfPackage(folder: string): string {
  const isIn = (id: string): boolean => existsSync(path.join(folder, tellingFiles[id] ?? ''));
  return handlerLanguages.find(isIn) ?? 'typescript';
}

/** Folder with the files of a new package in a language. */
export function packageTemplate(language: string): string {
  return path.join(templates, language, 'package');
}
