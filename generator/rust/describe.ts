import { prose } from './doc-comment.ts';

/** What a symbol of a proto says of itself. */
export interface Described {
  comment: string;
  deprecated: boolean;
}

/** Paragraphs on a symbol: its comment, and that it is deprecated. */
export function describe({ comment, deprecated }: Described): string[] {
  return [...prose(comment), ...(deprecated ? ['Deprecated.'] : [])];
}

/** The same, or a sentence where there is nothing to say. */
export function described(symbol: Described, otherwise: string): string[] {
  const paragraphs = describe(symbol);
  return symbol.comment.trim() === '' ? [otherwise, ...paragraphs] : paragraphs;
}
