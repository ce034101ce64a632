import { foldLines, foldParagraphs } from './fold-lines.ts';
import { showInvisible } from './show-invisible.ts';

/**
 * Returns untrusted text as one line of Markdown prose that shows exactly this text, without emphasis, links, HTML,
 * headings, lists or tables. Prettier keeps the escapes.
 */
export function markdownText(text: string): string {
  if (plain.test(text)) return text;
  const shown = showInvisible(foldLines(text)).replace(/[\\`*[\]{}<>#|~&$]/g, String.raw`\$&`);
  return escapeUnderscores(shown)
    .replace(/^([-+])/, String.raw`\$1`)
    .replace(/^(\d+)([.)])/, String.raw`$1\$2`);
}

/** One line without Markdown: most texts. */
const plain = /^[A-Za-z](?: ?[A-Za-z0-9,.;:()'"/?!%=+@-])*$/;

function escapeUnderscores(text: string): string {
  if (!text.includes('_')) return text;
  return text.replace(boundaryUnderscores, (run) => run.replaceAll('_', String.raw`\_`));
}

/** Inside a word an underscore is literal; next to a space, punctuation or the end it may open or close emphasis. */
const boundaryUnderscores = /(?<=^|[\s\p{P}\p{S}])_+|_+(?=$|[\s\p{P}\p{S}])/gu;

/** Returns the paragraphs of untrusted text, each as one line of Markdown prose. Empty for blank text. */
export function markdownParagraphs(text: string): string[] {
  return foldParagraphs(text).map(markdownText);
}

/** Returns untrusted text as a code span, on one line. */
export function markdownCode(text: string): string {
  const content = showInvisible(foldLines(text)) || ' ';
  if (!content.includes('`')) return `\`${content}\``;
  const runs = runLengths(content);
  let length = 1;
  while (runs.includes(length)) length += 1;
  const ticks = '`'.repeat(length);
  const pad = /^`|`$/.test(content) ? ' ' : '';
  return `${ticks}${pad}${content}${pad}${ticks}`;
}

/** Returns a fenced block that its own content cannot end. `info` is the language's tag: `python`. */
export function markdownBlock(code: string, info: string): string {
  const fence = '`'.repeat(Math.max(3, ...runLengths(code).map((length) => length + 1)));
  return `${fence}${info}\n${code.replace(/\n$/, '')}\n${fence}`;
}

/** Lengths of the runs of backticks. */
function runLengths(text: string): number[] {
  return (text.match(/`+/g) ?? []).map((run) => run.length);
}
