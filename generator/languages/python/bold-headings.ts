/**
 * Names that pydocstyle, in ruff's implementation, reads as sections of a Google or NumPy docstring. Its rules require `Args` to
 * list the parameters, a blank line before a section, and no blank line after its name. Proto comments follow none of these
 * rules.
 */
const sections =
  'args|arguments|attention|attributes|caution|danger|error|examples?|extended summary|hint|important|keyword args|' +
  'keyword arguments|methods|notes?|other args|other arguments|other parameters|other params|parameters|raises|receives|' +
  'references|returns?|see also|short summary|tip|todo|warnings?|warns|yields?';

const heading = new RegExp(`^( *)((?:${sections})(:?))$`, 'i');
const underline = /^ *[-=]+$/;
const wordEnd = /[\p{L}\p{N}]$/u;

/**
 * Returns the lines of a docstring with bold headings, `**Args:**`, which Markdown and reStructuredText show as
 * headings, and which pydocstyle does not read as sections. A word without a colon stays unchanged on the first line,
 * which is never a section, and where it continues a sentence from the previous line.
 */
export function boldHeadings(lines: readonly string[]): string[] {
  return lines.map((line, index) => {
    const [, margin = '', name = '', colon] = heading.exec(line) ?? [];
    if (name === '' || (colon === '' && isWord(index))) return line;
    return `${margin}**${name}**`;
  });

  function isWord(index: number): boolean {
    const before = lines[index - 1];
    return before === undefined || (wordEnd.test(before) && !underline.test(lines[index + 1] ?? ''));
  }
}
