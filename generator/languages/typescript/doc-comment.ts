import { showInvisible } from '../../text/show-invisible.ts';
import { wrapLines } from '../../text/wrap-lines.ts';

/** Columns of a comment's text: the rest of a line is for indentation and marks. */
const commentWidth = 72;

/**
 * Returns the lines of untrusted text for a documentation comment: they cannot end the comment, begin a tag, or act as
 * a directive of the compiler.
 */
export function commentLines(text: string): string[] {
  const safe = showInvisible(text)
    .replaceAll('\t', ' ')
    .replaceAll('*/', '*\\/')
    .replace(/(^|[\s{*])@/gm, '$1\\@');
  const lines = wrapLines(safe, commentWidth).map((line) => line.trimEnd());
  while (lines[0] === '') lines.shift();
  while (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * Returns a documentation comment of finished lines (see `commentLines`), ending with a line break; empty without
 * lines.
 *
 * @param indent spaces before each line.
 */
export function docComment(lines: readonly string[], indent = 0): string {
  const margin = ' '.repeat(indent);
  const [only, ...rest] = lines;
  if (only === undefined) return '';
  if (rest.length === 0) return `${margin}/** ${only} */\n`;
  const body = lines.map((line) => `${margin} *${line === '' ? '' : ` ${line}`}\n`).join('');
  return `${margin}/**\n${body}${margin} */\n`;
}

/** Returns the comment lines of something that the proto file may mark as deprecated. */
export function describedLines(comment: string, deprecated: boolean): string[] {
  const lines = commentLines(comment);
  if (!deprecated) return lines;
  return lines.length === 0 ? ['@deprecated'] : [...lines, '', '@deprecated'];
}
