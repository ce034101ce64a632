/** A C# expression that may be broken over lines: finished text, or items between brackets. */
export type Expression = string | Bracketed;

interface Bracketed {
  /** Text before the bracket: `new Word`; empty for a list. */
  head: string;
  /** Braces of an initializer, brackets of a list, parentheses of a call. */
  brackets: '{}' | '[]' | '()';
  items: Item[];
}

/** An item between brackets, with what precedes its value. */
export interface Item {
  /** Property or key of an initializer: `Text`, `["key"]`. */
  key?: string;
  value: Expression;
}

const lineWidth = 100;
const indentWidth = 4;

/**
 * Prints an expression as the formatter would: on one line if it is short enough, otherwise with one item per line.
 * @param indent Indentation of the line that the expression begins on, in steps.
 * @param before Characters on that line before the expression.
 */
export function printExpression(expression: Expression, indent: number, before: number): string {
  if (typeof expression === 'string') return expression;
  const room = lineWidth - indent * indentWidth - before;
  return flatWithin(expression, room) ?? printBroken(expression, indent);
}

/** Prints an expression on one line. */
export function printFlat(expression: Expression): string {
  return flatWithin(expression, Infinity) ?? '';
}

function printBroken({ head, brackets, items }: Bracketed, indent: number): string {
  const outer = ' '.repeat(indent * indentWidth);
  const inner = ' '.repeat((indent + 1) * indentWidth);
  const lines = items.map(({ key, value }, index) => {
    const before = key === undefined ? '' : `${key} = `;
    // The arguments of a call end without a comma.
    const after = brackets === '()' && index === items.length - 1 ? '' : ',';
    return `${inner}${before}${printExpression(value, indent + 1, before.length)}${after}`;
  });
  const [open = '', close = ''] = brackets;
  if (brackets === '()') return [`${head}(`, `${lines.join('\n')})`].join('\n');
  return [...(head === '' ? [open] : [head, `${outer}${open}`]), ...lines, `${outer}${close}`].join('\n');
}

/** Returns the expression on one line if it fits into `room`. Gives up early, because each level calls it. */
function flatWithin(expression: Expression, room: number): string | undefined {
  if (typeof expression === 'string') return expression.length <= room ? expression : undefined;
  const { head, brackets, items } = expression;
  if (items.length === 0) return brackets === '{}' ? `${head}()` : `${head}${brackets}`;
  const [open = '', close = ''] = brackets;
  let text = brackets === '{}' ? `${head} ${open} ` : `${head}${open}`;
  for (const [index, { key, value }] of items.entries()) {
    text += `${index === 0 ? '' : ', '}${key === undefined ? '' : `${key} = `}`;
    const flat = flatWithin(value, room - text.length - close.length);
    if (flat === undefined) return undefined;
    text += flat;
  }
  text += brackets === '{}' ? ` ${close}` : close;
  return text.length <= room ? text : undefined;
}
