import { builders } from 'prettier/doc';
import type { Layout } from './print-layout.ts';

const { group, ifBreak, indent, join, line, softline } = builders;

interface BracketedOptions {
  /** Spaces inside the brackets while they are on one line: `{ a, b }`. */
  spaced?: boolean;
  /** Separator; `,` by default. A broken list also has one after the last item, unless `trailing` is false. */
  separator?: string;
  trailing?: boolean;
}

/**
 * Returns a bracketed list, on one line if it fits, otherwise with each item on its own line: arguments, parameters,
 * literals, imports.
 *
 * @example bracketed('(', ['a', 'b'], ')') // `(a, b)`, or `(`, `  a,`, `  b,`, `)`
 */
export function bracketed(
  open: string,
  items: readonly Layout[],
  close: string,
  { spaced = false, separator = ',', trailing = true }: BracketedOptions = {},
): Layout {
  if (items.length === 0) return open + close;
  const edge = spaced ? line : softline;
  return group([
    open,
    indent([edge, join([separator, line], [...items])]),
    trailing ? ifBreak(separator) : '',
    edge,
    close,
  ]);
}
