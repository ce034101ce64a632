import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import type { Regex } from '../text/regex.ts';

/** Computes the replacement of a match from its groups. */
type ReplacementTemplate = (group: (key: number | string) => string) => string;

/**
 * Parses a replacement: `$1` or `${1}` is a group by number (`$0` is the whole match), `$name` or `${name}` a group by name, `$$` a
 * dollar sign. Any other dollar sign is literal. Unlike in Go, `$1x` is group 1 followed by an `x`. Fails for a group that the pattern
 * does not define.
 */
export function readReplacement(
  text: string,
  { groupCount, groupNames }: Pick<Regex, 'groupCount' | 'groupNames'>,
): Outcome<ReplacementTemplate> {
  const parts: (string | { key: number | string })[] = [];
  let end = 0;
  for (const match of text.matchAll(/\$(?:\$|\{(\w+)\}|(\d+)|([A-Za-z_]\w*))/g)) {
    parts.push(text.slice(end, match.index));
    end = match.index + match[0].length;
    const name = match[1] ?? match[2] ?? match[3];
    if (name === undefined) {
      parts.push('$');
      continue;
    }
    const key = /^\d+$/.test(name) ? Number(name) : name;
    const exists = typeof key === 'number' ? key <= groupCount : groupNames.has(key);
    if (!exists)
      return failed(`the replacement refers to group "${name}", which the pattern does not define`);
    parts.push({ key });
  }
  parts.push(text.slice(end));
  return done((group) => parts.map((part) => (typeof part === 'string' ? part : group(part.key))).join(''));
}
