import { typeProblems } from '../type-problems.ts';
import type { NamesCheck } from '../names-check.ts';

/** Sources, tests, examples and snippets under the archive's own strict options. */
export const check: NamesCheck = {
  problems: (archives) => Promise.resolve(typeProblems(archives)),
};
