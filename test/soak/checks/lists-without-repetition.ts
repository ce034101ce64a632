import type { Check } from './violation.ts';

/** No id occurs twice on the pages of a list. */
export const listsWithoutRepetition: Check = ({ listed }) =>
  listed
    .filter(({ ids }) => new Set(ids).size !== ids.length)
    .map(({ list, ids }) => ({
      about: 'lists',
      text: `${list} has an id twice: ${ids.filter((id, n) => ids.indexOf(id) !== n).join(', ')}`,
    }));
