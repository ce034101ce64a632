import { docstring } from './docstrings.ts';

/** A line of a class with the docstring that may follow it. */
export interface ClassLine {
  line: string;
  /** Empty when there is nothing to say. */
  docstring: string;
  blankBefore: boolean;
}

/** What a symbol of a proto says of itself. */
export interface Documented {
  comment: string;
  deprecated: boolean;
}

/** The lines of a class: set apart where one has a docstring; the first always stands apart from the docstring of its class. */
export function classLines(symbols: readonly { line: string; symbol: Documented }[]): ClassLine[] {
  const lines = symbols.map(({ line, symbol }) => {
    const paragraphs = describe(symbol);
    return { line, docstring: paragraphs.length === 0 ? '' : docstring(paragraphs, 4) };
  });
  const apart = lines.some((line) => line.docstring !== '');
  return lines.map((line, index) => ({ ...line, blankBefore: apart || index === 0 }));
}

/** Paragraphs on a symbol: its comment, and that it is deprecated. */
export function describe({ comment, deprecated }: Documented): string[] {
  return [comment, deprecated ? 'Deprecated.' : ''].filter((text) => text.trim() !== '');
}
