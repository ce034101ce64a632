import { docstring } from './docstrings.ts';

/** A line of a class with the docstring that may follow it. */
export interface ClassLine {
  line: string;
  /** May be empty. */
  docstring: string;
  blankBefore: boolean;
}

/** Documentation of a symbol of a proto. */
interface Documented {
  comment: string;
  deprecated: boolean;
}

/**
 * Returns the lines of a class, with blank lines between them if one has a docstring; a blank line follows the
 * docstring of the class.
 */
export function classLines(symbols: readonly { line: string; symbol: Documented }[]): ClassLine[] {
  const lines = symbols.map(({ line, symbol }) => {
    const paragraphs = describe(symbol);
    return { line, docstring: paragraphs.length === 0 ? '' : docstring(paragraphs, 4) };
  });
  const apart = lines.some((line) => line.docstring !== '');
  return lines.map((line, index) => ({ ...line, blankBefore: apart || index === 0 }));
}

/** Returns paragraphs about a symbol: its comment, and whether it is deprecated. */
export function describe({ comment, deprecated }: Documented): string[] {
  return [comment, deprecated ? 'Deprecated.' : ''].filter((text) => text.trim() !== '');
}
