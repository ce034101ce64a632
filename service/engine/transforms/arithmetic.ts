import { done, failed } from '../outcome.ts';
import { numberOf, parseNumber, valueOfNumber } from './numbers.ts';
import type { AnyNumber } from './numbers.ts';
import { renderText } from './render-text.ts';
import { isNumeric } from './shape.ts';
import type { Transform } from './transform.ts';
import { absent } from './value.ts';

/** The differences between `mult` and `add`. */
interface Arithmetic {
  name: string;
  /** Its name in error texts. */
  verb: string;
  /** Error text for a missing argument. */
  missing: string;
  integers: (a: bigint, b: bigint) => bigint;
  floats: (a: number, b: number) => number;
}

/**
 * A transform that combines the piped number with an argument. Two integers give an exact integer, or a double beyond 64 bits. If one
 * of them is a float, both are converted to doubles.
 */
export function arithmeticTransform({ name, verb, missing, integers, floats }: Arithmetic): Transform {
  function compute(a: AnyNumber, b: AnyNumber): AnyNumber {
    return typeof a === 'bigint' && typeof b === 'bigint' ? integers(a, b) : floats(Number(a), Number(b));
  }
  return {
    name,
    prepare(args, input) {
      const [argument] = args;
      if (argument === undefined || argument.kind === 'absent' || args.length > 1) return failed(missing);
      const operand =
        numberOf(argument) ?? (argument.kind === 'string' ? parseNumber(argument.value) : undefined);
      if (operand === undefined) return failed(`${verb}: "${renderText(argument)}" is not a number`);
      if (input !== undefined && !isNumeric(input) && input.kind !== 'dyn') {
        return failed(`cannot convert ${input.kind} to float`);
      }
      return done({
        shape: { kind: 'number' },
        apply: (value) => {
          if (value === undefined || value.kind === 'absent') return done(absent);
          const number = numberOf(value);
          if (number === undefined) return failed(`cannot convert ${value.kind} to float`);
          return done(valueOfNumber(compute(number, operand)));
        },
      });
    },
  };
}
