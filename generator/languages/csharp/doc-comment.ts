import { showInvisible } from '../../text/show-invisible.ts';
import { wrapLines } from '../../text/wrap-lines.ts';
import { xmlText } from '../../text/xml-text.ts';

const lineWidth = 120;

/**
 * Returns a documentation comment: a summary in paragraphs, for any untrusted text. Lines that are too long are folded
 * at spaces.
 *
 * @param paragraphs Texts of one or more paragraphs each; blank ones are omitted. At least one must not be blank.
 * @param indent Spaces before each line but the first.
 */
export function summary(paragraphs: readonly string[], indent = 0): string {
  return layOut(paragraphs.flatMap(splitParagraphs), indent);
}

/**
 * Returns a documentation comment that refers to a member, in one paragraph.
 *
 * @param before The text before the reference.
 * @param cref The member. The reference to it is not folded.
 * @param after The text after it.
 * @param indent Spaces before each line but the first.
 */
export function linkedSummary(before: string, cref: string, after: string, indent = 0): string {
  return layOut([`${before}<see\u00a0cref="${cref}"/>${after}`], indent).replace('\u00a0', ' ');
}

/** Encloses paragraphs of XML, each on one line. */
function layOut(texts: readonly string[], indent: number): string {
  const [only = ''] = texts;
  const margin = `\n${' '.repeat(indent)}`;
  const width = lineWidth - indent - '/// '.length;
  const short = `<summary>${only}</summary>`;
  if (texts.length === 1 && short.length <= width) return `/// ${short}`;
  const lines = texts.flatMap((text) =>
    texts.length === 1 ? wrapLines(text, width) : ['<para>', ...wrapLines(text, width), '</para>'],
  );
  return ['<summary>', ...lines, '</summary>'].map((line) => `/// ${line}`).join(margin);
}

/** Splits a text into paragraphs, each on one line, as XML. */
function splitParagraphs(text: string): string[] {
  return showInvisible(text)
    .split(/\n\s*\n/)
    .map((paragraph) => xmlText(paragraph.replace(/\s+/g, ' ').trim()))
    .filter((paragraph) => paragraph !== '');
}
