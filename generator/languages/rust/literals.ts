import { doubleQuoted } from '../../text/double-quoted.ts';

/** A Rust string literal; invisible characters, and characters that move others, are escaped. */
export function stringLiteral(text: string): string {
  return doubleQuoted(text, escapeCode);
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

/** A Rust string cannot contain a lone surrogate. */
function escapeCode(code: number): string {
  return code >= 0xd800 && code <= 0xdfff ? '\\u{fffd}' : `\\u{${code.toString(16)}}`;
}
