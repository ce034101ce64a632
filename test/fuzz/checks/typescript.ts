import { formatProblems } from '../format-problems.ts';
import { typeProblems } from '../type-problems.ts';
import type { NamesCheck } from '../names-check.ts';

/** prettier, and sources, tests, examples and snippets under the archive's own strict options. */
export const check: NamesCheck = {
  toolchain: 'typescript',
  problems: async (archives) => (await formatProblems(archives)) + typeProblems(archives),
};
