import { doubleQuoted, isPlain, shortEscape, unicodeEscape } from '../../text/double-quoted.ts';

/** Returns a Go string literal: in backquotes if that saves escapes, otherwise in double quotes. */
export function stringLiteral(text: string): string {
  if (isPlain(text)) return `"${text}"`;
  if (rawASCII.test(text)) return `\`${text}\``;
  const quoted = quotedLiteral(text);
  const isVisible = !text.includes('`') && !/[\p{C}\p{Zl}\p{Zp}]/u.test(text);
  return isVisible && quoted !== `"${text}"` ? `\`${text}\`` : quoted;
}

/** Returns a literal in double quotes, for any text. */
export function quotedLiteral(text: string): string {
  return doubleQuoted(text, (code) => (isSurrogate(code) ? '\\ufffd' : unicodeEscape(code)));
}

/** Printable ASCII without backquotes, such as most JSON. */
const rawASCII = /^[ -_a-~]*$/;

/** Reports whether a code point is a surrogate, which a Go string cannot contain. */
function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

/** `[]byte("ship")` */
export function bytesLiteral(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    const short = shortEscape(character);
    if (short !== undefined) return short;
    return byte >= 0x20 && byte < 0x7f ? character : `\\x${byte.toString(16).padStart(2, '0')}`;
  });
  return `[]byte("${text.join('')}")`;
}
