import { done, failed } from '../outcome.ts';
import { occurrences } from '../text/search.ts';
import type { WorkMeter } from '../work/work-meter.ts';
import { numberOf } from './numbers.ts';
import { onText, renderText } from './render-text.ts';
import { textShape } from './shape.ts';
import type { Transform } from './transform.ts';

/** `path | split("/", 1)`: the part at an index, counted from 0. */
export const split: Transform = {
  name: 'split',
  prepare(args) {
    const [first, second] = args;
    if (first === undefined || second === undefined || args.length > 2) {
      return failed('split requires 2 args (sep, index)');
    }
    const separator = renderText(first);
    if (separator === '') return failed('split: `separator` is required');
    const index = Number(numberOf(second) ?? NaN);
    if (!Number.isInteger(index)) return failed(`split: "${renderText(second)}" is not an integer`);
    return done({
      shape: textShape,
      apply: onText(
        (text, meter) =>
          partAt(text, { separator, index }, meter) ?? failed(`split: index ${index} out of range`),
      ),
    });
  },
};

function partAt(
  text: string,
  { separator, index }: { separator: string; index: number },
  meter: WorkMeter,
): string | undefined {
  let start = 0;
  let part = 0;
  for (const at of occurrences(text, separator, meter)) {
    if (part === index) return text.slice(start, at);
    part++;
    start = at + separator.length;
  }
  return part === index ? text.slice(start) : undefined;
}
