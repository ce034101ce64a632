/** Text on one line: each run of white space is one space, none at the ends. */
export function foldLines(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Paragraphs of a text, each folded to one line; blank lines part them. Empty for blank text. */
export function foldParagraphs(text: string): string[] {
  return text
    .replace(/\r\n?/g, '\n')
    .split(/\n\s*\n/)
    .map(foldLines)
    .filter((paragraph) => paragraph !== '');
}
