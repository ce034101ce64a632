import { unsupportedLanguage } from '../errors/client-errors.ts';
import { type LanguageFolders, listLanguages, loadLanguageFile } from './load-language.ts';

/**
 * The language that a client builds when a build names none: the one asked for, TypeScript when that is absent or empty.
 * @throws ApiError 400 `unsupported language: <value>`
 */
export async function defaultLanguageOf(asked = '', folders?: LanguageFolders): Promise<string> {
  return asked === '' ? 'typescript' : requireLanguage(asked, folders);
}

/**
 * A language that the API takes: one that the release generates.
 * @throws ApiError 400 `unsupported language: <value>`
 */
export async function requireLanguage(value: string, folders?: LanguageFolders): Promise<string> {
  if (!(await listLanguages(folders)).includes(value)) throw unsupportedLanguage(value);
  return value;
}

/**
 * `<client-slug>-sdk-<ext>.zip` (SDK.md, The archive).
 * @throws Error when the release has no such language
 */
export async function archiveFileName(
  slug: string,
  language: string,
  folders?: LanguageFolders,
): Promise<string> {
  const { archiveSuffix } = await loadLanguageFile(language, folders);
  return `${slug}-sdk-${archiveSuffix}.zip`;
}
