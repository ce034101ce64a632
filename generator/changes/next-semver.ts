import inc from 'semver/functions/inc.js';
import type { Step } from './change-list.ts';

/**
 * Returns the semantic version of the release after `previous`; the first is 1.0.0.
 * @throws Error if `previous` is not a semantic version.
 */
export function nextSemver(previous: string | undefined, step: Step): string {
  if (previous === undefined) return '1.0.0';
  const next = inc(previous, step);
  if (next === null) throw new Error(`not a semantic version: ${JSON.stringify(previous)}`);
  return next;
}
