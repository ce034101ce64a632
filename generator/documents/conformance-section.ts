import type { FileView, PrintedFile } from '../language.ts';

/** Passed and applicable cases of a language, by group of the conformance suite. */
export type ConformanceRow = Readonly<Record<string, { passed: number; cases: number }>>;

/** Returns the last section of the README; none for a language without conformance results. */
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

/** Appends each section to the file of its path. */
export function withSection(files: readonly PrintedFile[], sections: readonly PrintedFile[]): PrintedFile[] {
  return files.map(({ path, content }) => {
    const added = sections.filter((section) => section.path === path);
    return { path, content: [content, ...added.map((section) => section.content)].join('') };
  });
}
