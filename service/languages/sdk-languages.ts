import { unsupportedLanguage } from '../errors/client-errors.ts';
import { type LanguageFolders, listLanguages, loadLanguageFile } from './load-language.ts';

/**
 * Returns the default language of a client: the requested one, or TypeScript if none is requested.
 * @throws ApiError 400 `unsupported language: <value>`
 */
export async function defaultLanguageOf(requested = '', folders?: LanguageFolders): Promise<string> {
  return requested === '' ? 'typescript' : requireLanguage(requested, folders);
}

/**
 * Returns the language if the release generates it.
 * @throws ApiError 400 `unsupported language: <value>`
 */
export async function requireLanguage(value: string, folders?: LanguageFolders): Promise<string> {
  if (!(await listLanguages(folders)).includes(value)) throw unsupportedLanguage(value);
  return value;
}

/**
 * Returns the file name of an archive: `<client-slug>-sdk-<ext>.zip`.
 * @throws Error if the release has no such language
 */
export async function archiveFileName(
  slug: string,
  language: string,
  folders?: LanguageFolders,
): Promise<string> {
  const { archiveSuffix } = await loadLanguageFile(language, folders);
  return `${slug}-sdk-${archiveSuffix}.zip`;
}
