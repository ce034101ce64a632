import type { Check } from './violation.ts';

/** The pages of a list have each id once. */
export const listsWithoutRepetition: Check = ({ listed }) =>
  listed
    .filter(({ ids }) => new Set(ids).size !== ids.length)
    .map(({ list, ids }) => ({
      about: 'lists',
      text: `${list} has an id twice: ${ids.filter((id, n) => ids.indexOf(id) !== n).join(', ')}`,
    }));
