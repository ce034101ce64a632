import { type builders, printer } from 'prettier/doc';
import { flatText } from './flat-text.ts';

/**
 * Code that may have to break over lines, created with the builders of `prettier/doc` and printed as prettier and ruff would
 * print it. https://github.com/prettier/prettier/blob/main/commands.md
 */
export type Layout = builders.Doc;

interface LayoutStyle {
  /** Columns of a line. */
  width: number;
  /** Spaces of one indentation. */
  indent: number;
}

/** Prettier's defaults. */
export const prettierStyle: LayoutStyle = { width: 80, indent: 2 };

/** Prints a layout; lines are separated by `\n`, and the last line has none unless the layout contains it. */
export function printLayout(layout: Layout, style: LayoutStyle): string {
  const { width, indent } = style;
  const flat = flatText(layout, style);
  if (flat !== undefined) return flat;
  return printer.printDocToString(layout, { printWidth: width, tabWidth: indent, useTabs: false }).formatted;
}
