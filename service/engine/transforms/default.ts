import { done, failed } from '../outcome.ts';
import { dynShape } from './shape.ts';
import type { Shape } from './shape.ts';
import type { Transform } from './transform.ts';
import type { Value } from './value.ts';

/**
 * `title | default("untitled")`: replaces an absent or empty value. Empty strings, bytes, lists and maps are empty, and so is the zero
 * value of a field without presence. A field with presence that is set to zero keeps its value.
 */
export const defaultTransform: Transform = {
  name: 'default',
  prepare(args, input) {
    const [fallback] = args;
    if (fallback === undefined || args.length > 1) return failed('default requires 1 arg');
    return done({
      shape: mergedShape(input, fallback),
      apply: (value) => done(value === undefined || isEmpty(value) ? fallback : value),
    });
  },
};

function isEmpty(value: Value): boolean {
  switch (value.kind) {
    case 'absent':
      return true;
    case 'bytes':
    case 'string':
      return value.value.length === 0;
    case 'list':
      return value.values.length === 0;
    case 'map':
      return value.entries.length === 0;
    default:
      return value.unset === true;
  }
}

/** The result is the piped value or the fallback. Its shape is known only if both have the same kind. */
function mergedShape(input: Shape | undefined, fallback: Value): Shape {
  if (input === undefined || fallback.kind === 'absent') return input ?? dynShape;
  return input.kind === fallback.kind ? input : dynShape;
}
