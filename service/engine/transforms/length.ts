import { done, failed } from '../outcome.ts';
import { codePointLength } from '../text/code-points.ts';
import { textOrEmpty } from './render-text.ts';
import type { Step, Transform, Work } from './transform.ts';
import { int64 } from './value.ts';
import type { Value } from './value.ts';

const step: Step = {
  shape: { kind: 'int64' },
  apply: (input, work) => done(int64(BigInt(input === undefined ? 0 : lengthOf(input, work)))),
};

/**
 * `title | length`: the number of characters (Unicode code points) of a string, bytes of bytes, or elements of a list or map. An absent
 * value has length 0. Any other value is converted to text first. Never fails.
 */
export const length: Transform = {
  name: 'length',
  prepare: (args) => (args.length > 0 ? failed('length takes no args') : done(step)),
};

function lengthOf(value: Value, work: Work): number {
  switch (value.kind) {
    case 'bytes':
      return value.value.length;
    case 'list':
      return value.values.length;
    case 'map':
      return value.entries.length;
    default:
      return codePointLength(textOrEmpty(value, work), work.meter);
  }
}
