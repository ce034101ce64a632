import { arithmeticTransform } from './arithmetic.ts';

/** `n | mult(2)` */
export const mult = arithmeticTransform({
  name: 'mult',
  verb: 'multiply',
  missing: 'multiply needs a multiplier value, e.g. multiply(2)',
  integers: (a, b) => a * b,
  floats: (a, b) => a * b,
});
