import { unsupportedLanguage } from '../errors/client-errors.ts';

/** The languages that the API takes, each with the `ext` of its archives' names (SPEC.md, Client; SDK.md, The archive). */
const archiveSuffixes = {
  go: 'go',
  python: 'py',
  rust: 'rs',
  java: 'java',
  typescript: 'ts',
  'typescript-browser': 'browser',
  csharp: 'cs',
} as const;

export type SdkLanguage = keyof typeof archiveSuffixes;

/**
 * The language that a client builds when a build names none: the one asked for, TypeScript when that is absent or empty.
 * @throws ApiError 400 `unsupported language: <value>`
 */
export function defaultLanguageOf(asked = ''): SdkLanguage {
  return asked === '' ? 'typescript' : requireLanguage(asked);
}

/** @throws ApiError 400 `unsupported language: <value>` */
export function requireLanguage(value: string): SdkLanguage {
  if (!isSdkLanguage(value)) throw unsupportedLanguage(value);
  return value;
}

export function isSdkLanguage(value: string): value is SdkLanguage {
  return Object.hasOwn(archiveSuffixes, value);
}

/** `<client-slug>-sdk-<ext>.zip` */
export function archiveFileName(slug: string, language: SdkLanguage): string {
  return `${slug}-sdk-${archiveSuffixes[language]}.zip`;
}
