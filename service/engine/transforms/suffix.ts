import { done, failed } from '../outcome.ts';
import { joinBounded } from './bounded-text.ts';
import { onText, renderText } from './render-text.ts';
import { textShape } from './shape.ts';
import type { Transform } from './transform.ts';

/** `title | suffix("!")` */
export const suffix: Transform = {
  name: 'suffix',
  prepare(args) {
    const [argument] = args;
    if (argument === undefined || argument.kind === 'absent' || args.length > 1) {
      return failed('suffix needs a string to append, e.g. suffix(" world")');
    }
    const added = renderText(argument);
    return done({
      shape: textShape,
      apply: onText((text, meter) => joinBounded('suffix', [text, added], meter)),
    });
  },
};
