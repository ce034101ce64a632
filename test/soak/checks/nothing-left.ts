import type { Check } from './violation.ts';

/** A quiet service has no open work and no files that belong to nothing. */
export const nothingLeft: Check = (_, { leftovers }) =>
  leftovers.map((text) => ({ about: 'leftovers', text: `there is ${text}` }));
