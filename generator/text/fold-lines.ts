/** Returns text on one line: each run of white space becomes one space, and none remains at the ends. */
export function foldLines(text: string): string {
  return (unfolded.test(text) ? text.replace(/\s+/g, ' ') : text).trim();
}

/** White space other than single blanks. */
const unfolded = /[^\S ]| {2}/;

/** Returns the paragraphs of a text, each folded to one line; blank lines separate them. Empty for blank text. */
export function foldParagraphs(text: string): string[] {
  return text
    .replace(/\r\n?/g, '\n')
    .split(/\n\s*\n/)
    .map(foldLines)
    .filter((paragraph) => paragraph !== '');
}
