import { doubleQuoted } from '../../text/double-quoted.ts';

/** Returns a Rust string literal; invisible characters, and characters that move others, are escaped. */
export function stringLiteral(text: string): string {
  return doubleQuoted(text, escapeCode);
}

/** Returns a Rust byte string literal. */
export function bytesLiteral(bytes: Uint8Array): string {
  const characters = Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    if (character === '"' || character === '\\') return `\\${character}`;
    return byte >= 0x20 && byte < 0x7f ? character : `\\x${byte.toString(16).padStart(2, '0')}`;
  });
  return `b"${characters.join('')}"`;
}

/** Returns the escape of a code point. A Rust string cannot contain a lone surrogate. */
function escapeCode(code: number): string {
  return code >= 0xd800 && code <= 0xdfff ? '\\u{fffd}' : `\\u{${code.toString(16)}}`;
}
