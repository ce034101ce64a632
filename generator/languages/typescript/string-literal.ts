/**
 * Characters that must be escaped in source: controls, line separators, and marks that reverse or hide the text
 * around them, so that what a reader sees is what a compiler reads.
 */
const unsafe =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const shortEscapes = new Map([
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/**
 * Returns a TypeScript string literal of untrusted text, quoted as prettier would: double quotes unless single ones
 * need fewer escapes.
 *
 * @example stringLiteral('say "hi"\n') === `'say "hi"\\n'`
 */
export function stringLiteral(text: string): string {
  const quote = count(text, '"') > count(text, "'") ? "'" : '"';
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replace(unsafe, escapeCharacter);
  return `${quote}${escaped}${quote}`;
}

function escapeCharacter(character: string): string {
  return shortEscapes.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function count(text: string, mark: string): number {
  return text.split(mark).length - 1;
}
