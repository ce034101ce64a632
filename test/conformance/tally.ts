import type { ConformanceRow } from '../../generator/documents/conformance-section.ts';

/** Counts the cases of a run, by group. */
interface Tally {
  count(group: string, passed: boolean): void;
  /** Groups sorted by name. */
  row(): ConformanceRow;
}

export function createTally(): Tally {
  const groups = new Map<string, { passed: number; cases: number }>();
  return {
    count(group, passed) {
      const { passed: before, cases } = groups.get(group) ?? { passed: 0, cases: 0 };
      groups.set(group, { passed: before + (passed ? 1 : 0), cases: cases + 1 });
    },
    row: () => Object.fromEntries([...groups].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
