import { showInvisible } from '../../text/show-invisible.ts';
import { wrapLines } from '../../text/wrap-lines.ts';
import { boldHeadings } from './bold-headings.ts';
import { lineWidth } from './line-width.ts';

const quotes = 3;

/**
 * Returns a docstring of paragraphs: untrusted text that can neither end the string nor be read as an escape. Lines
 * that are too long are folded at spaces, others stay as written, except for headings (see `boldHeadings`).
 *
 * @param paragraphs Texts, each of one or more lines; blank ones are omitted. At least one must not be blank.
 * @param indent Spaces before each line.
 */
export function docstring(paragraphs: readonly string[], indent: number): string {
  const margin = ' '.repeat(indent);
  const lines = paragraphs
    .map(cleanLines)
    .filter((cleaned) => cleaned.length > 0)
    .flatMap((cleaned, index) => (index === 0 ? cleaned : ['', ...cleaned]));
  // One width for all lines: the first line follows the opening quotes, and a single line precedes the closing ones.
  const wrapped = (width: number): string[] =>
    boldHeadings(lines.flatMap((line) => wrapLines(line, width - indent))).map(escapeText);
  const wide = wrapped(lineWidth - quotes);
  const isAlone = wide.length === 1;
  const [first = '', ...rest] = isAlone ? wrapped(lineWidth - 2 * quotes) : wide;
  if (rest.length === 0) return `${margin}"""${escapeStart(escapeEnd(first))}"""`;
  const body = rest.map((line) => (line === '' ? '' : `${margin}${line}`));
  return [`${margin}"""${escapeStart(first)}`, ...body, `${margin}"""`].join('\n');
}

/** The formatter also treats any other space as a margin, and removes it. */
const oddMargin = /^( *)[^\S ]\s*/;

/** Returns the lines of a text without their common margin, and without blank lines at either end. */
function cleanLines(text: string): string[] {
  const lines = showInvisible(text)
    .split('\n')
    .map((line) => line.replaceAll('\t', '    ').replace(oddMargin, '$1').trimEnd());
  while (lines[0] === '') lines.shift();
  while (lines.at(-1) === '') lines.pop();
  const [first, ...rest] = lines;
  if (first === undefined) return [];
  const margins = rest.filter((line) => line !== '').map((line) => line.search(/[^ ]/));
  const margin = margins.length === 0 ? 0 : Math.min(...margins);
  return [first.trimStart(), ...rest.map((line) => line.slice(margin))];
}

function escapeText(line: string): string {
  return line.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"');
}

function escapeStart(line: string): string {
  return line.startsWith('"') ? `\\${line}` : line;
}

function escapeEnd(line: string): string {
  return line.endsWith('"') && !line.endsWith('\\"') ? `${line.slice(0, -1)}\\"` : line;
}
