import { LargeNumber } from './large-number.ts';

/** Matches a text that may contain a number that a double rounds. A reviver for every text would be slow. */
const mayRound = /(?:^|[\s:,[])-?\d(?:\d{15}|[\d.]*[eE])/;

/**
 * Parses JSON like `JSON.parse`, but returns a number that a double would round as a `LargeNumber`, which
 * `JSON.stringify` writes unchanged.
 */
export function parseExactJson(text: string): unknown {
  return JSON.parse(text, mayRound.test(text) ? exactNumber : undefined) as unknown;
}

/**
 * Keeps the text of a number that a double rounds, as a reviver for `JSON.parse`. TypeScript's types do not declare the
 * third parameter of revivers yet.
 */
export function exactNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return String(value) === context.source || Math.abs(value) <= Number.MAX_SAFE_INTEGER
    ? value
    : new LargeNumber(context.source);
}
