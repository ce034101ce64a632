import { limits } from '../../../specs/limits.ts';

/**
 * Folds a description into one comment line of at most 512 characters (code points). Control characters and line separators become
 * spaces. Folding never fails, because a description does not affect the message type.
 */
export function foldDescription(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  const characters = Array.from(line);
  if (characters.length <= limits.draftDescriptionCharacters) return line;
  return characters.slice(0, limits.draftDescriptionCharacters).join('').trimEnd();
}
