import { done, failed } from '../outcome.ts';
import { lowerCase } from '../text/change-case.ts';
import { onAnyText } from './render-text.ts';
import { textShape } from './shape.ts';
import type { Step, Transform } from './transform.ts';

const step: Step = { shape: textShape, apply: onAnyText((text, meter) => lowerCase(text, meter)) };

/** `title | lower`: converts to lower case by Unicode rules, independent of the locale. Never fails. */
export const lower: Transform = {
  name: 'lower',
  prepare: (args) => (args.length > 0 ? failed('lower takes no args') : done(step)),
};
