import type { Check } from './violation.ts';

/** No operation ends with an exception: it notes what it sees. */
export const failures: Check = (history) =>
  history.failures.map(({ operation, text }) => ({
    about: operation,
    text: `the operation failed: ${text}`,
  }));
