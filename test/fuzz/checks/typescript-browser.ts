import { typeProblems } from '../type-problems.ts';
import type { NamesCheck } from '../names-check.ts';

/** As for TypeScript: pages call what the same compiler has checked. */
export const check: NamesCheck = {
  problems: (archives) => Promise.resolve(typeProblems(archives, { types: ['node'] })),
};
