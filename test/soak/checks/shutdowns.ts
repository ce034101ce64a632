import { outageDuring } from './excuses.ts';
import type { Check } from './violation.ts';

/** A replica stops after a minute at the latest. The machine may be busy. */
const longestMs = 75_000;

/** A replica that is stopped in order ends with 0, or with 1 if the database is away, and in time. */
export const shutdowns: Check = (history) =>
  history.shutdowns.flatMap(({ replica, from, to, code }) => {
    const expected = outageDuring(history.harms, { from, to, replica }) === undefined ? [0] : [0, 1];
    const problems = [
      ...(code !== null && expected.includes(code) ? [] : [`ended with ${code}`]),
      ...(to - from <= longestMs ? [] : [`took ${to - from} ms to stop`]),
    ];
    return problems.map((problem) => ({ about: 'restart', text: `${replica} ${problem}` }));
  });
