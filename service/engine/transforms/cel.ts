import { failed } from '../outcome.ts';
import type { Transform } from './transform.ts';

/**
 * `cel("n * 2")`, alone or after a pipe. The expression names the fields of its source directly. The piped value, or the field that the
 * second argument names, is `value`.
 */
export const cel: Transform = {
  name: 'cel',
  prepare(args, input, context) {
    const [expression, field] = args;
    if (expression?.kind === 'string' && args.length <= 2) {
      if (field === undefined) return context.cel(expression.value, input, undefined);
      if (field.kind === 'string') return context.cel(expression.value, input, field.value);
    }
    return failed('cel requires 1 or 2 args (expression[, srcField])');
  },
};
