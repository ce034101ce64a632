/** A C# string literal, whatever the text holds. */
export function stringLiteral(text: string): string {
  return plain.test(text) ? `"${text}"` : `"${text.replaceAll(escaped, escapeCharacter)}"`;
}

/** `"ship"u8.ToArray()`, or the bytes one by one where they are no plain text. */
export function bytesLiteral(bytes: Uint8Array): string {
  const text = String.fromCharCode(...bytes);
  if (plain.test(text)) return `"${text}"u8.ToArray()`;
  return `new byte[] { ${Array.from(bytes).join(', ')} }`;
}

/** Printable ASCII without quotes and backslashes: nearly every literal. */
const plain = /^[ !#-[\]-~]*$/;

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Quotes and backslashes, and what a reader does not see or what moves others. */
const escaped = /["\\]|(?! )[\p{C}\p{Z}]/gu;

function escapeCharacter(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  const short = shortEscapes.get(character);
  if (short !== undefined) return short;
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}
