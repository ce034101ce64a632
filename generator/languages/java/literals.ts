/** Returns a Java string literal on one line. */
export function stringLiteral(text: string): string {
  return `"${text.replaceAll(otherThanPlain, escapeCharacter)}"`;
}

/** Characters that may need an escape. */
const otherThanPlain = /[^ !#-[\]-~]/gu;

/** Returns the indivisible units of a literal: characters and escapes. */
export function literalUnits(text: string): string[] {
  return Array.from(text, escapeCharacter);
}

/** Returns code with every string literal emptied. */
export function foldedStrings(code: string): string {
  return code.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['"', String.raw`\"`],
  ['\\', String.raw`\\`],
  ['\b', String.raw`\b`],
  ['\t', String.raw`\t`],
  ['\n', String.raw`\n`],
  ['\f', String.raw`\f`],
  ['\r', String.raw`\r`],
]);

/**
 * Characters that are invisible or that move others become escapes. Unicode escapes are processed before anything else, so none
 * may represent a character that ends a line or a literal: controls are octal, always with three digits.
 */
function escapeCharacter(character: string): string {
  const short = shortEscapes.get(character);
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x20 && code < 0x7f) return character;
  if (code <= 0xff && /\p{C}/u.test(character)) return `\\${code.toString(8).padStart(3, '0')}`;
  if (/\p{Cs}/u.test(character)) return '\\ufffd';
  if (!/[\p{C}\p{Z}]/u.test(character)) return character;
  return Array.from({ length: character.length }, (_, index) =>
    character.charCodeAt(index).toString(16).padStart(4, '0'),
  )
    .map((digits) => `\\u${digits}`)
    .join('');
}
