import { expressionLimits } from '../expression-limits.ts';
import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';

/** Concatenates texts, up to the size limit of expressions. */
export function joinBounded(transform: string, parts: readonly string[]): Outcome<string> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return length > expressionLimits.textCharacters ? failed(tooLong(transform)) : done(parts.join(''));
}

export function tooLong(transform: string): string {
  return `${transform}: the result is longer than ${expressionLimits.textCharacters} characters`;
}
