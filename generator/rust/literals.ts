/** A Rust string literal: what is invisible or moves other characters is spelled out. */
export function stringLiteral(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  return `"${text.replaceAll(escaped, escapeCharacter)}"`;
}

/** A Rust byte string literal. */
export function bytesLiteral(bytes: Uint8Array): string {
  const characters = Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    if (character === '"' || character === '\\') return `\\${character}`;
    return byte >= 0x20 && byte < 0x7f ? character : `\\x${byte.toString(16).padStart(2, '0')}`;
  });
  return `b"${characters.join('')}"`;
}

/** Printable ASCII without quotes and backslashes. */
const plain = /^[ !#-[\]-~]*$/;

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Quotes and backslashes, and what a reader does not see or what moves others. */
const escaped = /["\\]|(?! )[\p{C}\p{Z}]/gu;

/** Halves of surrogate pairs stand for no character, and Rust has no way to write them. */
function escapeCharacter(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  const short = shortEscapes.get(character);
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  return code >= 0xd800 && code <= 0xdfff ? '\\u{fffd}' : `\\u{${code.toString(16)}}`;
}
