import { deprecation } from '../../documents/describe-symbol.ts';
import { showInvisible } from '../../text/show-invisible.ts';
import { wrapLines } from '../../text/wrap-lines.ts';

const lineWidth = 80;

/**
 * Returns a doc comment of paragraphs in the format of gofmt: untrusted text becomes plain paragraphs, even if it
 * resembles markup (headings, lists, link definitions, marks of deprecation). Lines that are too long are folded at
 * spaces.
 *
 * @param paragraphs Texts of one or more paragraphs each; blank ones are omitted. At least one must not be blank.
 * @param indent Tabs before each line but the first.
 */
export function docComment(paragraphs: readonly string[], indent = 0): string {
  const texts = paragraphs.flatMap(splitParagraphs);
  const lines = texts.flatMap((text, index) => [
    ...(index === 0 ? [] : ['//']),
    ...layParagraph(text, { indent, isFirst: index === 0, isLast: index === texts.length - 1 }),
  ]);
  return lines.join(`\n${'\t'.repeat(indent)}`);
}

function splitParagraphs(text: string): string[] {
  return showInvisible(text)
    .split(/\n\s*\n/)
    .map((paragraph) =>
      paragraph
        .split('\n')
        .map((line) => line.replaceAll('\t', ' ').trim())
        .filter((line) => line !== '')
        .join('\n'),
    )
    .filter((paragraph) => paragraph !== '');
}

interface Place {
  indent: number;
  isFirst: boolean;
  isLast: boolean;
}

function layParagraph(text: string, { indent, isFirst, isLast }: Place): string[] {
  const lines = wrapLines(plainText(text), lineWidth - 4 * indent - '// '.length).map(plainLine);
  // The name of the symbol and the verb stay on one line.
  const [name = '', sentence] = lines;
  if (isFirst && sentence !== undefined && !name.includes(' ') && text.startsWith(`${name} `))
    lines.splice(0, 2, `${name} ${sentence}`);
  // A title alone between paragraphs would become a heading.
  const [only = ''] = lines;
  if (lines.length === 1 && !isFirst && !isLast && /[\p{L}\p{N}]$/u.test(only)) lines[0] = `${only}.`;
  return lines.map((line) => `// ${line}`);
}

/** Removes special meaning from a paragraph: gofmt turns two backticks or apostrophes into quotes. */
function plainText(text: string): string {
  const spaced = text.replace(/`{2,}|'{2,}/g, (run) => Array.from(run).join(' '));
  return spaced === deprecation ? spaced : spaced.replace(/^Deprecated:/, 'Note: Deprecated:');
}

/** Removes special meaning from the beginning of a line: a heading, a link definition, a build constraint. */
function plainLine(line: string): string {
  return line.replace(/^(?=#|\[|\+build)/, '\\');
}
