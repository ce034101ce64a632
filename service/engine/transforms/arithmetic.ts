import { done, failed } from '../outcome.ts';
import { numberOf, parseNumber, valueOfNumber } from './numbers.ts';
import type { AnyNumber } from './numbers.ts';
import { renderText } from './render-text.ts';
import { isNumeric } from './shape.ts';
import type { Transform } from './transform.ts';
import { absent } from './value.ts';

/** How `mult` and `add` differ. */
export interface Arithmetic {
  name: string;
  /** What messages call it. */
  verb: string;
  /** Text for when its argument is missing. */
  missing: string;
  integers: (a: bigint, b: bigint) => bigint;
  floats: (a: number, b: number) => number;
}

/**
 * A transform of one number by another. Two integers give an exact one (`valueOfNumber` says what happens beyond 64 bits); as
 * soon as one of them is a float, both are taken as doubles.
 */
export function arithmeticTransform({ name, verb, missing, integers, floats }: Arithmetic): Transform {
  function compute(a: AnyNumber, b: AnyNumber): AnyNumber {
    return typeof a === 'bigint' && typeof b === 'bigint' ? integers(a, b) : floats(Number(a), Number(b));
  }
  return {
    name,
    prepare(args) {
      const [argument] = args;
      if (argument === undefined || argument.kind === 'absent' || args.length > 1) return failed(missing);
      const operand =
        numberOf(argument) ?? (argument.kind === 'string' ? parseNumber(argument.value) : undefined);
      if (operand === undefined) return failed(`${verb}: "${renderText(argument)}" is not a number`);
      return done({
        shape: (input) => {
          if (input === undefined || isNumeric(input) || input.kind === 'dyn')
            return done({ kind: 'number' });
          return failed(`cannot convert ${input.kind} to float`);
        },
        apply: (input) => {
          if (input === undefined || input.kind === 'absent') return done(absent);
          const number = numberOf(input);
          if (number === undefined) return failed(`cannot convert ${input.kind} to float`);
          return done(valueOfNumber(compute(number, operand)));
        },
      });
    },
  };
}
