import { foldParagraphs } from '../../text/fold-lines.ts';
import { showInvisible } from '../../text/show-invisible.ts';
import { wrapLines } from '../../text/wrap-lines.ts';

const lineWidth = 100;

/**
 * Returns a documentation comment of paragraphs of finished Markdown, folded at spaces, without a trailing line end. No
 * line of a paragraph begins a list, a heading or a rule, because rustdoc and clippy parse comments as Markdown.
 *
 * @param indent Spaces before each line.
 * @param marker `///`, or `//!` for the enclosing module.
 */
export function docComment(paragraphs: readonly string[], indent: number, marker = '///'): string {
  const margin = ' '.repeat(indent) + marker;
  return paragraphs
    .map((paragraph) =>
      wrapLines(paragraph, lineWidth - margin.length - 1)
        .map((line) => `${margin} ${escapeStart(line)}`)
        .join('\n'),
    )
    .join(`\n${margin}\n`);
}

/**
 * Returns the paragraphs of untrusted text as Markdown that shows exactly this text. Nothing in it becomes a link to an
 * item, HTML or a code block, which rustdoc would compile; web addresses become links.
 */
export function prose(text: string): string[] {
  return foldParagraphs(showInvisible(text)).map((paragraph) =>
    paragraph
      .split(' ')
      .map((word) => (word.includes('://') ? address(word) : escapeWord(word)))
      .join(' '),
  );
}

function address(word: string): string {
  const [, before, url, after] =
    /^([("']*)(https?:\/\/[\w.~:/?#@!$&*+,;=%-]*[\w/=-])([)"'.,;:!?]*)$/.exec(word) ?? [];
  if (before === undefined || url === undefined || after === undefined)
    return escapeWord(word).replaceAll('://', String.raw`\://`);
  return `${before}<${url}>${after}`;
}

function escapeWord(word: string): string {
  return word
    .replace(/[\\`*[\]{}<>#|~&$]/g, String.raw`\$&`)
    .replace(boundaryUnderscores, (run) => run.replaceAll('_', String.raw`\_`));
}

/** Inside a word an underscore is literal. */
const boundaryUnderscores = /(?<=^|[\p{P}\p{S}])_+|_+(?=$|[\p{P}\p{S}])/gu;

function escapeStart(line: string): string {
  return line.replace(/^([-+=])/, String.raw`\$1`).replace(/^(\d+)([.)])/, String.raw`$1\$2`);
}
