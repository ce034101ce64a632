import { outageDuring } from './excuses.ts';
import type { Check } from './violation.ts';

/** A replica stops within a minute. The rest allows for a busy machine. */
const longestMs = 75_000;

/** A replica that is stopped gracefully exits in time, with 0, or with 0 or 1 during a database outage. */
export const shutdowns: Check = (history) =>
  history.shutdowns.flatMap(({ replica, from, to, code }) => {
    const expected = outageDuring(history.harms, { from, to, replica }) === undefined ? [0] : [0, 1];
    const problems = [
      ...(code !== null && expected.includes(code) ? [] : [`ended with ${code}`]),
      ...(to - from <= longestMs ? [] : [`took ${to - from} ms to stop`]),
    ];
    return problems.map((problem) => ({ about: 'restart', text: `${replica} ${problem}` }));
  });
