import { done, failed } from '../outcome.ts';
import { onText } from './render-text.ts';
import { textShape } from './shape.ts';
import type { Step, Transform } from './transform.ts';

const step: Step = { shape: textShape, apply: onText((text) => text.toLowerCase()) };

/** `title | lower`: the text in lower case, by Unicode and not by any locale. Never fails. */
export const lower: Transform = {
  name: 'lower',
  prepare: (args) => (args.length > 0 ? failed('lower takes no args') : done(step)),
};
