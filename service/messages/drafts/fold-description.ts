import { limits } from '../../../specs/limits.ts';

/**
 * A description as it goes into a comment: one line, control characters and line ends of every script turned to spaces, cut
 * after 512 characters (code points; SPEC.md, Limits). Folding never fails: the text is for people and has no bearing on types.
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
