import { done, failed } from '../outcome.ts';
import { upperCase } from '../text/change-case.ts';
import { onAnyText } from './render-text.ts';
import { textShape } from './shape.ts';
import type { Step, Transform } from './transform.ts';

const step: Step = { shape: textShape, apply: onAnyText((text, meter) => upperCase(text, meter)) };

/** `title | upper`: converts to upper case by Unicode rules, independent of the locale. Never fails. */
export const upper: Transform = {
  name: 'upper',
  prepare: (args) => (args.length > 0 ? failed('upper takes no args') : done(step)),
};
