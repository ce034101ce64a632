import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import { codePointLength, unitIndex } from '../text/code-points.ts';
import { numberOf } from './numbers.ts';
import { renderText } from './render-text.ts';
import { textShape } from './shape.ts';
import type { Transform } from './transform.ts';
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
      apply: (value) => done(value === undefined ? absent : sliceValue(value, start.value, end.value)),
    });
  },
};

function position(argument: Value): Outcome<number> {
  const number = Number(numberOf(argument) ?? NaN);
  return Number.isInteger(number)
    ? done(number)
    : failed(`slice: "${renderText(argument)}" is not an integer`);
}

function sliceValue(value: Value, start: number, end: number): Value {
  switch (value.kind) {
    case 'absent':
      return value;
    case 'list':
      return { kind: 'list', values: value.values.slice(start, end) };
    case 'bytes':
      return { kind: 'bytes', value: value.value.slice(start, end) };
    default:
      return text(sliceText(renderText(value), start, end));
  }
}

function sliceText(value: string, start: number, end: number): string {
  const length = start < 0 || end < 0 ? codePointLength(value) : 0;
  const [from, to] = [start, end].map((at) => unitIndex(value, at < 0 ? Math.max(at + length, 0) : at));
  return value.slice(from, to);
}
