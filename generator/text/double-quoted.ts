/** Printable ASCII without double quotes and backslashes: most texts. */
const plain = /^[ !#-[\]-~]*$/;

/** Double quotes, backslashes, and characters that are invisible or that move others. */
const escaped = /["\\]|(?! )[\p{C}\p{Z}]/gu;

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Returns the escapes that languages with C-like literals share: `\n` for a line feed. */
export function shortEscape(character: string): string | undefined {
  return shortEscapes.get(character);
}

/** Reports whether a text needs no escapes between double quotes: printable ASCII without `"` and `\`. */
export function isPlain(text: string): boolean {
  return plain.test(text);
}

/**
 * Returns a string literal in double quotes, for any text.
 * @param escapeCode writes a code point that has no short escape.
 */
export function doubleQuoted(text: string, escapeCode: (code: number) => string): string {
  if (plain.test(text)) return `"${text}"`;
  const escape = (character: string): string =>
    shortEscapes.get(character) ?? escapeCode(character.codePointAt(0) ?? 0);
  return `"${text.replaceAll(escaped, escape)}"`;
}

/** Returns the Unicode escape of a code point: `\u202e` or `\U0001f680`. */
export function unicodeEscape(code: number): string {
  const digits = code.toString(16);
  return digits.length > 4 ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`;
}
