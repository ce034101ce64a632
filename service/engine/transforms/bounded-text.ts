import { expressionLimits } from '../expression-limits.ts';
import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import type { WorkMeter } from '../work/work-meter.ts';

/** Characters to copy per unit of work. */
const charactersPerUnit = 64;

/** Concatenates texts, up to the size limit of expressions. */
export function joinBounded(transform: string, parts: readonly string[], meter: WorkMeter): Outcome<string> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (length > expressionLimits.textCharacters) return failed(tooLong(transform));
  meter.spend(length / charactersPerUnit);
  return done(parts.join(''));
}

/** The detail of a transform whose result exceeds the size limit. */
export function tooLong(transform: string): string {
  return `${transform}: the result is longer than ${expressionLimits.textCharacters} characters`;
}
