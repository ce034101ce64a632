import { done, failed } from '../outcome.ts';
import { joinBounded } from './bounded-text.ts';
import { onText, renderText } from './render-text.ts';
import { textShape } from './shape.ts';
import type { Transform } from './transform.ts';

/** `name | prefix("hi ")` */
export const prefix: Transform = {
  name: 'prefix',
  prepare(args) {
    const [argument] = args;
    if (argument === undefined || argument.kind === 'absent' || args.length > 1) {
      return failed('prefix needs a string to prepend, e.g. prefix("hi ")');
    }
    const added = renderText(argument);
    return done({
      shape: textShape,
      apply: onText((text, meter) => joinBounded('prefix', [added, text], meter)),
    });
  },
};
