import { expressionLimits } from '../expression-limits.ts';
import { done, failed } from '../outcome.ts';
import { replaceBounded } from '../text/replace-bounded.ts';
import { tooLong } from './bounded-text.ts';
import { onText, renderText } from './render-text.ts';
import { textShape } from './shape.ts';
import type { Transform } from './transform.ts';

/** `title | replace("a", "b")`: replaces every occurrence, left to right. */
export const replace: Transform = {
  name: 'replace',
  prepare(args) {
    const [first, second] = args;
    if (first === undefined || second === undefined || args.length > 2) {
      return failed('replace requires 2 args (from, to)');
    }
    const [from, to] = [renderText(first), renderText(second)];
    if (from === '') return failed('replace: `from` is required');
    return done({
      shape: textShape,
      apply: onText((text, meter) => {
        const replaced = replaceBounded(text, { from, to, limit: expressionLimits.textCharacters }, meter);
        return replaced ?? failed(tooLong('replace'));
      }),
    });
  },
};
