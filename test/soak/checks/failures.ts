import type { Check } from './violation.ts';

/** No operation throws: operations record what they see instead. */
export const failures: Check = (history) =>
  history.failures.map(({ operation, text }) => ({
    about: operation,
    text: `the operation failed: ${text}`,
  }));
