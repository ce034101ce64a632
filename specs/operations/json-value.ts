import { z } from 'zod';
import { LargeNumber } from '../large-number.ts';

/** Any JSON value. */
type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** Limits recursion over values that callers send. */
const maxDepth = 100;

/** Any JSON of at most 100 levels. Only for values parsed from JSON text. */
export const jsonValue = z.unknown().refine((value) => isWithin(value, maxDepth), {
  error: `nests deeper than ${maxDepth} levels`,
}) as unknown as z.ZodType<JsonValue>;

/** Any JSON, at any depth: messages in responses, whose depth the protobuf limits decide. */
export const anyJson = z.unknown() as unknown as z.ZodType<JsonValue>;

/**
 * Reports whether a value has at most `depth` levels. It iterates level by level, because recursion could overflow the
 * stack that the limit protects.
 */
function isWithin(value: unknown, depth: number): boolean {
  let level = [value].filter(isContainer);
  for (let left = depth; level.length > 0; left -= 1) {
    if (left === 0) return false;
    level = level.flatMap((one) => Object.values(one).filter(isContainer));
  }
  return true;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !(value instanceof LargeNumber);
}
