import type { Check } from './violation.ts';

/** An idle service has no open work and no orphaned files. */
export const nothingLeft: Check = (_, { leftovers }) =>
  leftovers.map((text) => ({ about: 'leftovers', text: `there is ${text}` }));
