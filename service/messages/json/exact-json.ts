import type { Json } from '../../errors/api-error.ts';

/** TypeScript's types do not declare `rawJSON` yet. */
export const jsonWithRaw = JSON as typeof JSON & { rawJSON(text: string): Json };

/**
 * A reviver for `JSON.parse` that keeps the text of numbers that a double would round. They become objects that only
 * `JSON.stringify` can read, which writes the original text. TypeScript's types do not declare the third parameter of revivers
 * yet.
 */
export function exactNumber(_key: string, value: Json, context?: { source?: string }): Json {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return String(value) === context.source || Math.abs(value) <= Number.MAX_SAFE_INTEGER
    ? value
    : jsonWithRaw.rawJSON(context.source);
}
