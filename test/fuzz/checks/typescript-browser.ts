import { formatProblems } from '../format-problems.ts';
import { typeProblems } from '../type-problems.ts';
import type { NamesCheck } from '../names-check.ts';

/** The same checks as for TypeScript. */
export const check: NamesCheck = {
  toolchain: 'typescript',
  problems: async (archives) =>
    (await formatProblems(archives)) + typeProblems(archives, { types: ['node'] }),
};
