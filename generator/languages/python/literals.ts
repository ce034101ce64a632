/** Returns a Python string literal, quoted as ruff does: double quotes unless single ones need fewer escapes. */
export function stringLiteral(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  const quote = count(text, '"') > count(text, "'") ? "'" : '"';
  const escaped = text.replaceAll(quote === '"' ? escapedInDouble : escapedInSingle, escapeCharacter);
  return `${quote}${escaped}${quote}`;
}

/** Printable ASCII without quotes and backslashes: nearly every literal, and nothing to escape. */
const plain = /^[ !#-&(-[\]-~]*$/;

/** Returns a Python bytes literal, quoted like a string. */
export function bytesLiteral(bytes: Uint8Array): string {
  const text = String.fromCharCode(...bytes);
  const quote = count(text, '"') > count(text, "'") ? "'" : '"';
  const escaped = Array.from(text, (character) => {
    if (character === quote || character === '\\') return `\\${character}`;
    const code = character.charCodeAt(0);
    if (code >= 0x20 && code < 0x7f) return character;
    return shortEscapes.get(character) ?? `\\x${code.toString(16).padStart(2, '0')}`;
  });
  return `b${quote}${escaped.join('')}${quote}`;
}

/**
 * Characters that are invisible or that move others: controls, formats such as right-to-left marks, separators, unassigned and
 * lone surrogates become escapes, and so do the quote and the backslash; all others stay.
 */
const escapedInDouble = /["\\]|(?! )[\p{C}\p{Z}]/gu;
const escapedInSingle = /['\\]|(?! )[\p{C}\p{Z}]/gu;

function escapeCharacter(character: string): string {
  if (character === '"' || character === "'" || character === '\\') return `\\${character}`;
  const short = shortEscapes.get(character);
  if (short !== undefined) return short;
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
