import type { FileView, PrintedFile } from '../language.ts';

/** How many cases of each group of the conformance suite a language passes, of those that it has the features for. */
export type ConformanceRow = Readonly<Record<string, { passed: number; cases: number }>>;

/** The section that the README of every archive of a language ends with; none for a language that never ran. */
export function conformanceSection(row: ConformanceRow | undefined): FileView[] {
  const groups = Object.entries(row ?? {}).filter(([, { cases }]) => cases > 0);
  if (groups.length === 0) return [];
  const whole = groups.filter(([, { passed, cases }]) => passed === cases);
  const partial = groups.filter(([, { passed, cases }]) => passed < cases);
  return [
    {
      path: 'README.md',
      template: 'documents/conformance-section.md',
      view: {
        passed: whole.map(([group]) => group).join(', '),
        failing: partial
          .map(([group, { passed, cases }]) => `${group} (${passed} of ${cases} pass)`)
          .join(', '),
      },
    },
  ];
}

/** The files with their sections at the end of their README. */
export function withSection(files: readonly PrintedFile[], sections: readonly PrintedFile[]): PrintedFile[] {
  return files.map((file) => {
    const added = sections.filter(({ path }) => path === file.path).map(({ printed }) => printed);
    const texts = [file.printed, ...added].map(({ text }) => text);
    return added.length === 0 ? file : { ...file, printed: { text: texts.join('') } };
  });
}
