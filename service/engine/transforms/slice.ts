import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import { codePointLength, unitIndex } from '../text/code-points.ts';
import type { WorkMeter } from '../work/work-meter.ts';
import { numberOf } from './numbers.ts';
import { renderText, textOfRun } from './render-text.ts';
import { textShape } from './shape.ts';
import type { Transform, Work } from './transform.ts';
import { absent, text } from './value.ts';
import type { Value } from './value.ts';

/**
 * `title | slice(0, 80)`: from `start` (inclusive) to `end` (exclusive), in characters of a string, bytes, or elements of a list.
 * Negative positions count from the end. Positions beyond the ends are clamped.
 */
export const slice: Transform = {
  name: 'slice',
  prepare(args, input) {
    const [first, second] = args;
    if (first === undefined || second === undefined || args.length > 2) {
      return failed('slice requires 2 args (start, end)');
    }
    const start = position(first);
    const end = position(second);
    if (!start.ok) return start;
    if (!end.ok) return end;
    return done({
      shape: input?.kind === 'list' || input?.kind === 'bytes' || input?.kind === 'dyn' ? input : textShape,
      apply: (value, work) =>
        value === undefined ? done(absent) : sliceValue(value, [start.value, end.value], work),
    });
  },
};

function position(argument: Value): Outcome<number> {
  const number = Number(numberOf(argument) ?? NaN);
  return Number.isInteger(number)
    ? done(number)
    : failed(`slice: "${renderText(argument)}" is not an integer`);
}

/** Start and end. */
type Range = readonly [number, number];

/** Elements or bytes to copy per unit of work. */
const elementsPerUnit = 32;

function sliceValue(value: Value, range: Range, work: Work): Outcome<Value> {
  const { meter } = work;
  switch (value.kind) {
    case 'absent':
      return done(value);
    case 'list':
      meter.spend(value.values.length / elementsPerUnit);
      return done({ kind: 'list', values: value.values.slice(...range) });
    case 'bytes':
      meter.spend(value.value.length / elementsPerUnit);
      return done({ kind: 'bytes', value: value.value.slice(...range) });
    default: {
      const rendered = textOfRun(value, work);
      return rendered.ok ? done(text(sliceText(rendered.value, range, meter))) : rendered;
    }
  }
}

function sliceText(value: string, range: Range, meter: WorkMeter): string {
  const length = range.some((at) => at < 0) ? codePointLength(value, meter) : 0;
  const [from, to] = range.map((at) => unitIndex(value, at < 0 ? Math.max(at + length, 0) : at, meter));
  return value.slice(from, to);
}
