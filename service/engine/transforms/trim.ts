import { done, failed } from '../outcome.ts';
import { onAnyText } from './render-text.ts';
import { textShape } from './shape.ts';
import type { Step, Transform } from './transform.ts';

/** White space to skip per unit of work. */
const charactersPerUnit = 256;

const step: Step = {
  shape: textShape,
  apply: onAnyText((text, meter) => {
    meter.spend(text.length / charactersPerUnit);
    return text.trim();
  }),
};

/** `title | trim`: removes white space at both ends. Never fails. */
export const trim: Transform = {
  name: 'trim',
  prepare: (args) => (args.length > 0 ? failed('trim takes no args') : done(step)),
};
