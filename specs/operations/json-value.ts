import { z } from 'zod';

/** What JSON can say. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** Deeper ones are nobody's settings, and a stack has an end. */
const maxDepth = 100;

/** Any JSON, at most 100 levels deep. Bodies are parsed from JSON text, so nothing else can arrive here. */
export const jsonValue = z.unknown().refine((value) => isWithin(value, maxDepth), {
  error: `nests deeper than ${maxDepth} levels`,
}) as unknown as z.ZodType<JsonValue>;

/** Walks by a list of its own instead of the stack, which is what it protects. */
function isWithin(value: unknown, depth: number): boolean {
  let level = [value].filter(isContainer);
  for (let left = depth; level.length > 0; left -= 1) {
    if (left === 0) return false;
    level = level.flatMap((one) => Object.values(one).filter(isContainer));
  }
  return true;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
