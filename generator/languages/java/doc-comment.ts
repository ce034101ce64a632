import { foldLines } from '../../text/fold-lines.ts';
import { showInvisible } from '../../text/show-invisible.ts';

const lineWidth = 100;

/** The content of a comment: paragraphs of plain text, then block tags. */
interface Doc {
  /** Texts of one or more paragraphs each; the first is the summary. */
  paragraphs: readonly string[];
  /** Block tags: `['@param text', 'the text']`. */
  tags?: readonly (readonly [string, string])[];
}

/**
 * Returns a doc comment in the format of google-java-format. Texts marked by `markup` may contain markup; all other
 * text is untrusted and escaped.
 *
 * @param indent spaces before each line but the first.
 */
export function docComment({ paragraphs, tags = [] }: Doc, indent = 0): string {
  const margin = `\n${' '.repeat(indent)} *`;
  const texts = paragraphs.flatMap(splitParagraphs);
  const [first = ''] = texts;
  const oneLine = `/** ${first} */`;
  if (tags.length === 0 && texts.length === 1 && indent + oneLine.length <= lineWidth) return oneLine;
  const width = lineWidth - indent - ' * '.length;
  const blocks = texts.map((text, index) => wrap(`${index === 0 ? '' : '<p>'}${text}`, width));
  const lines = blocks.flatMap((block, index) => (index === 0 ? block : ['', ...block]));
  if (tags.length > 0) lines.push('');
  for (const [tag, text] of tags) {
    const folded = splitParagraphs(text).join(' ');
    const [head = '', ...rest] = wrap(`${tag} ${folded}`.trimEnd(), width, 4);
    lines.push(head, ...rest);
  }
  return `/**${lines.map((line) => margin + ` ${line}`.replace(spacesBehind, '')).join('')}${margin}/`;
}

/** Marks trusted text that contains markup: `{@code x}`. Untrusted text in it must be escaped by `docText`. */
export function markup(text: string): string {
  return `\u0000${text}`;
}

/**
 * Returns untrusted text as Javadoc that shows exactly this text: no tag, no HTML, no end of the comment, no Unicode
 * escape.
 */
export function docText(text: string): string {
  return showInvisible(text).replaceAll(
    /[&<>@{}\\]|(?<=\*)\/|\*(?=\/)/g,
    (character) => entities[character] ?? character,
  );
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '@': '&#64;',
  '{': '&#123;',
  '}': '&#125;',
  '\\': '&#92;',
  '/': '&#47;',
  '*': '&#42;',
};

/** Returns the paragraphs of a text, each on one line. */
function splitParagraphs(text: string): string[] {
  const ready = text.startsWith('\u0000') ? text.slice(1) : docText(text);
  return ready
    .split(/\n[ \t]*\n/)
    .map((paragraph) => paragraph.split(blank).filter(Boolean).join(' '))
    .filter((paragraph) => paragraph.trim() !== '');
}

/** Spaces of any script, which the formatter removes from the end of a line. */
const spacesBehind = /\p{Zs}+$/u;

/** Spaces at which the formatter breaks lines. Other spaces are ordinary characters. */
const blank = /[ \t\n\u000b\f\r]+/;

/** Breaks text at spaces, so that no line is longer than `width` unless one word is. */
function wrap(text: string, width: number, hanging = 0): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = ' '.repeat(hanging) + word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Returns untrusted text within a sentence of markup. */
export function quoted(text: string): string {
  return `"${docText(foldLines(text))}"`;
}
