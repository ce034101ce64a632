/**
 * What pydocstyle's rules, as ruff has them, take for a section of a Google or NumPy docstring. Below `Args` they want what the
 * method takes, a blank line before a section and none after its name; a proto's comment speaks of fields, laid out as its author likes.
 */
const sections =
  'args|arguments|attention|attributes|caution|danger|error|examples?|extended summary|hint|important|keyword args|' +
  'keyword arguments|methods|notes?|other args|other arguments|other parameters|other params|parameters|raises|receives|' +
  'references|returns?|see also|short summary|tip|todo|warnings?|warns|yields?';

const heading = new RegExp(`^( *)((?:${sections})(:?))$`, 'i');
const underline = /^ *[-=]+$/;
const wordEnd = /[\p{L}\p{N}]$/u;

/**
 * Lines of a docstring whose headings are bold, `**Args:**`, as Markdown and reStructuredText show a heading within prose, and
 * are no sections of the docstring. A word without a colon stays as it is on the first line, which is never a section, and where the
 * sentence of the line before goes on.
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
