import { formatProblems } from '../format-problems.ts';
import { typeProblems } from '../type-problems.ts';
import type { NamesCheck } from '../names-check.ts';

/** prettier, and the compiler with the archive's own strict options for sources, tests, examples and snippets. */
export const check: NamesCheck = {
  toolchain: 'typescript',
  problems: async (archives) => (await formatProblems(archives)) + typeProblems(archives),
};
