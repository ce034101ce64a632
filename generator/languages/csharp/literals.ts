import { doubleQuoted, isPlain, unicodeEscape } from '../../text/double-quoted.ts';

/** Returns a C# string literal, for any text. */
export function stringLiteral(text: string): string {
  return doubleQuoted(text, unicodeEscape);
}

/** `"ship"u8.ToArray()`, or the individual bytes if they are not plain text. */
export function bytesLiteral(bytes: Uint8Array): string {
  const text = String.fromCharCode(...bytes);
  if (isPlain(text)) return `"${text}"u8.ToArray()`;
  return `new byte[] { ${Array.from(bytes).join(', ')} }`;
}
