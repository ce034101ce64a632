/** A Go string literal: in backquotes where that spares escapes, else in double quotes. */
export function stringLiteral(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  if (rawASCII.test(text)) return `\`${text}\``;
  const quoted = text.replaceAll(escaped, escapeCharacter);
  const isVisible = !text.includes('`') && !/[\p{C}\p{Zl}\p{Zp}]/u.test(text);
  return isVisible && quoted !== text ? `\`${text}\`` : `"${quoted}"`;
}

/** A literal in double quotes, whatever it holds. */
export function quotedLiteral(text: string): string {
  return plain.test(text) ? `"${text}"` : `"${text.replaceAll(escaped, escapeCharacter)}"`;
}

/** Printable ASCII without quotes and backslashes: nearly every literal. */
const plain = /^[ !#-[\]-~]*$/;

/** Printable ASCII without backquotes, such as nearly all JSON. */
const rawASCII = /^[ -_a-~]*$/;

/** `[]byte("ship")` */
export function bytesLiteral(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    if (character === '"' || character === '\\') return `\\${character}`;
    if (byte >= 0x20 && byte < 0x7f) return character;
    return shortEscapes.get(character) ?? `\\x${byte.toString(16).padStart(2, '0')}`;
  });
  return `[]byte("${text.join('')}")`;
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Quotes and backslashes, and what a reader does not see or what moves others. */
const escaped = /["\\]|(?! )[\p{C}\p{Z}]/gu;

/** A lone surrogate is no character in Go. */
function escapeCharacter(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  const short = shortEscapes.get(character);
  if (short !== undefined) return short;
  if (/\p{Cs}/u.test(character)) return '\\ufffd';
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}
