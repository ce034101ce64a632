import { occurrences } from './search.ts';

/** `eachPlace` runs before each replacement and may abort by throwing. */
interface Replacement {
  /** Not empty. */
  from: string;
  to: string;
  /** Maximum number of replacements. Unlimited by default. */
  count?: number;
  eachPlace?: () => void;
}

/**
 * Replaces the first `count` occurrences of `from`, left to right, in linear time.
 *
 * @returns undefined when the result would be longer than `limit` UTF-16 units
 */
export function replaceBounded(
  text: string,
  { from, to, count = Infinity, eachPlace }: Replacement,
  limit: number,
): string | undefined {
  const parts: string[] = [];
  let length = 0;
  let end = 0;
  for (const at of occurrences(text, from)) {
    if (parts.length / 2 >= count) break;
    eachPlace?.();
    parts.push(text.slice(end, at), to);
    length += at - end + to.length;
    end = at + from.length;
    if (length > limit) return undefined;
  }
  return length + text.length - end > limit ? undefined : parts.join('') + text.slice(end);
}
