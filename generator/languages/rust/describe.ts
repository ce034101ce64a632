import { prose } from './doc-comment.ts';

/** Documentation of a symbol of a proto. */
interface Described {
  comment: string;
  deprecated: boolean;
}

/** Returns paragraphs about a symbol: its comment, and whether it is deprecated. */
export function describe({ comment, deprecated }: Described): string[] {
  return [...prose(comment), ...(deprecated ? ['Deprecated.'] : [])];
}

/** Returns the documentation of a symbol, or a default sentence. */
export function described(symbol: Described, otherwise: string): string[] {
  const paragraphs = describe(symbol);
  return symbol.comment.trim() === '' ? [otherwise, ...paragraphs] : paragraphs;
}
