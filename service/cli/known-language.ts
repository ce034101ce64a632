import { listLanguages } from '../languages/load-language.ts';
import { UsageError } from './output.ts';

/** @throws UsageError that lists the languages of SDKs */
export async function requireKnownLanguages(languages: readonly string[]): Promise<void> {
  const known = await listLanguages();
  const unknown = languages.find((language) => !known.includes(language));
  if (unknown === undefined) return;
  throw new UsageError(`unsupported language "${unknown}": use one of ${known.join(', ')}`);
}
