/**
 * Breaks each line of a text at spaces, so that none is longer than `width` unless one word is. Width counts code points. The
 * lines that a line is broken into keep its indentation.
 */
export function wrapLines(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): string[] {
  if (lengthOf(line) <= width) return [line.trimEnd()];
  const indent = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = '';
  let length = 0;
  for (const word of line.trim().split(/ +/)) {
    const wordLength = lengthOf(word);
    if (current !== '' && indent.length + length + 1 + wordLength > width) {
      lines.push(indent + current);
      current = word;
      length = wordLength;
    } else {
      current = current === '' ? word : `${current} ${word}`;
      length = current === word ? wordLength : length + 1 + wordLength;
    }
  }
  lines.push(indent + current);
  return lines;
}

function lengthOf(text: string): number {
  return surrogate.test(text) ? Array.from(text).length : text.length;
}

/** Rare; counting code points takes longer than testing for one. */
const surrogate = /[\ud800-\udfff]/;
