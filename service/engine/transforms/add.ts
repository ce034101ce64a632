import { arithmeticTransform } from './arithmetic.ts';

/** `n | add(5)` */
export const add = arithmeticTransform({
  name: 'add',
  verb: 'add',
  missing: 'add needs a value to add, e.g. add(5)',
  integers: (a, b) => a + b,
  floats: (a, b) => a + b,
});
