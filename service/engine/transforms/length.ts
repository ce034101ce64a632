import { done, failed } from '../outcome.ts';
import { codePointLength } from '../text/code-points.ts';
import type { WorkMeter } from '../work/work-meter.ts';
import { renderMetered } from './render-text.ts';
import type { Step, Transform } from './transform.ts';
import { int64 } from './value.ts';
import type { Value } from './value.ts';

const step: Step = {
  shape: { kind: 'int64' },
  apply: (input, { meter }) => done(int64(BigInt(input === undefined ? 0 : lengthOf(input, meter)))),
};

/**
 * `title | length`: the number of characters (Unicode code points) of a string, bytes of bytes, or elements of a list or map. An absent
 * value has length 0. Any other value is converted to text first. Never fails.
 */
export const length: Transform = {
  name: 'length',
  prepare: (args) => (args.length > 0 ? failed('length takes no args') : done(step)),
};

function lengthOf(value: Value, meter: WorkMeter): number {
  switch (value.kind) {
    case 'bytes':
      return value.value.length;
    case 'list':
      return value.values.length;
    case 'map':
      return value.entries.length;
    default:
      return codePointLength(renderMetered(value, meter), meter);
  }
}
