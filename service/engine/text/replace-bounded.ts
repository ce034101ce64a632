import type { WorkMeter } from '../work/work-meter.ts';
import { occurrences } from './search.ts';

interface Replacement {
  /** Not empty. */
  from: string;
  to: string;
  /** Maximum number of replacements. Unlimited by default. */
  count?: number;
  /** Maximum length of the result, in UTF-16 units. */
  limit: number;
}

/** Units of work per replacement, and characters of the result per unit. */
const unitsOfReplacement = 0.5;
const charactersPerUnit = 128;

/**
 * Replaces the first `count` occurrences of `from`, left to right, in linear time.
 *
 * @returns undefined when the result would be longer than `limit`
 */
export function replaceBounded(
  text: string,
  { from, to, count = Infinity, limit }: Replacement,
  meter: WorkMeter,
): string | undefined {
  const parts: string[] = [];
  let length = 0;
  let end = 0;
  for (const at of occurrences(text, from, meter)) {
    if (parts.length / 2 >= count) break;
    const added = at - end + to.length;
    meter.spend(unitsOfReplacement + added / charactersPerUnit);
    parts.push(text.slice(end, at), to);
    length += added;
    end = at + from.length;
    if (length > limit) return undefined;
  }
  return length + text.length - end > limit ? undefined : parts.join('') + text.slice(end);
}
