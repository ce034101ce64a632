import type { Rule } from '../source-tree.ts';

const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const emptyWords = ['util', 'utils', 'helper', 'helpers', 'common', 'misc', 'shared'];

/** Files and folders are named in kebab-case, for the one thing that they hold. */
export const fileNames: Rule = (tree) =>
  [...tree.keys()].flatMap((file) => {
    const names = file.replace(/(\.test)?\.[a-z]+$/, '').split('/');
    return names.flatMap((name) => {
      if (!kebabCase.test(name)) return [`${file}: ${name} is not kebab-case`];
      const lastWord = name.split('-').at(-1) ?? '';
      const saysNothing = emptyWords.includes(lastWord) || name === 'types';
      return saysNothing ? [`${file}: the name ${name} does not say what it holds`] : [];
    });
  });
