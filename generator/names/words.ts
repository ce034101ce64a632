import { toAscii } from './to-ascii.ts';

/**
 * Returns the words of untrusted text, for names: ASCII letters and digits only, at least one word, so that every
 * casing is an identifier in every language, except for reserved words. Other characters separate words, and so does
 * case: `HTTPServer` is `HTTP Server`, `fooBar2x` is `foo Bar2x`.
 *
 * Letters beyond ASCII are transliterated (`to-ascii.ts`). Text without letters and digits is named after its code points (an
 * emoji is `u1f680`), and empty text is `unnamed`. Texts that differ only in other characters get the same words; `planScope`
 * distinguishes them.
 */
export function splitWords(text: string): string[] {
  if (snake.test(text)) return text.split('_');
  const words = toAscii(text)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  if (words.length > 0) return words;
  const points = Array.from(text.trim()).slice(0, longestFallback);
  if (points.length === 0) return ['unnamed'];
  return points.map((character) => `u${(character.codePointAt(0) ?? 0).toString(16)}`);
}

/** The style of most field names. */
const snake = /^[a-z0-9]+(?:_[a-z0-9]+)*$/;

/** Maximum number of code points that name a text without letters and digits; more would not make a better name. */
const longestFallback = 8;

/** Text, or its words. */
type Words = string | readonly string[];

/** Returns `unitPrice`, which begins with a letter: `n3dModel` for `3d model`. */
export function camelCase(text: Words): string {
  const [first = '', ...rest] = identifierWords(text);
  return first + rest.map(capitalized).join('');
}

/** Returns `UnitPrice`. */
export function pascalCase(text: Words): string {
  return identifierWords(text).map(capitalized).join('');
}

/** Returns `unit_price`. */
export function snakeCase(text: Words): string {
  return identifierWords(text).join('_');
}

/** Returns `UNIT_PRICE`. */
export function screamingCase(text: Words): string {
  return identifierWords(text).join('_').toUpperCase();
}

/** Returns `unit-price`, for files and packages. It may begin with a digit. */
export function kebabCase(text: Words): string {
  return lowerWords(text).join('-');
}

function identifierWords(text: Words): string[] {
  const [first = '', ...rest] = lowerWords(text);
  return [/^\d/.test(first) ? `n${first}` : first, ...rest];
}

function lowerWords(text: Words): string[] {
  return (typeof text === 'string' ? splitWords(text) : text).map((word) => word.toLowerCase());
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
