import { lineWidth } from './line-width.ts';

/** A Python expression that may have to break over lines: finished text, brackets around items, or a union of types. */
export type Expression = string | Bracketed | Union;

/** `State | UnknownValue`, as an item between brackets. */
interface Union {
  union: string[];
}

/** Items between brackets. They stay on one line if they fit. */
export interface Bracketed {
  /** Text before the items, including the opening bracket: `Field(`. */
  open: string;
  items: Item[];
  /** Closing bracket, and the text after it: `)`. */
  close: string;
}

/** An item between brackets, with the text before its value: `title=`, `"key": `. */
export interface Item {
  label?: string;
  value: Expression;
}

/** Returns a call, its arguments in order. */
export function call(callee: string, args: Item[]): Expression {
  return { open: `${callee}(`, items: args, close: ')' };
}

/**
 * Prints an expression as ruff formats it: on one line if it fits, otherwise with one item per line, each followed by a comma.
 *
 * @param indent Spaces before the line that the expression begins on.
 * @param before Characters on that line before the expression, without the indent.
 * @param after Characters that follow the expression on its last line.
 */
export function printExpression(
  expression: Expression,
  indent: number,
  before: number,
  after: number,
): string {
  if (typeof expression === 'string') return expression;
  const room = lineWidth - indent - before - after;
  if ('union' in expression) {
    const flat = printFlat(expression);
    return flat.length <= room ? flat : expression.union.join(`\n${' '.repeat(indent)}| `);
  }
  if (expression.items.length === 0) return printFlat(expression);
  const flat = flatWithin(expression, room);
  return flat !== undefined && widthOf(flat) <= room ? flat : printBroken(expression, indent);
}

/** Prints `name = value` as ruff does. `keyword` is text before the value, such as `await `. */
export function printAssigned(name: string, value: Expression, indent: number, keyword = ''): string {
  return printValue(`${name} = `, value, indent, keyword);
}

/** Prints `return value` as ruff does. */
export function printReturned(value: Expression, indent: number): string {
  return printValue('return ', value, indent, '');
}

/**
 * Prints a value after `start`. A value whose first line does not fit goes into parentheses, if the parentheses and all
 * of its lines fit.
 */
function printValue(start: string, value: Expression, indent: number, keyword: string): string {
  const printed = (margin: number, before: string): string =>
    before + printExpression(value, margin, before.length, 0);
  const line = printed(indent, start + keyword);
  if (indent + widthOf(line.replace(/\n.*/s, '')) <= lineWidth) return line;
  const lines = `${' '.repeat(indent + 4)}${printed(indent + 4, keyword)}`.split('\n');
  const opening = `${start}(`;
  if ([' '.repeat(indent) + opening, ...lines].some((each) => widthOf(each) > lineWidth)) return line;
  return [opening, ...lines, `${' '.repeat(indent)})`].join('\n');
}

/** Prints a bracketed expression with one item per line, even if it would fit on one line. */
export function printBroken({ open, items, close }: Bracketed, indent: number): string {
  const inner = indent + 4;
  // A comma after the only item of a subscript would make it a tuple.
  const comma = items.length === 1 && /\w\[$/.test(open) ? '' : ',';
  const lines = items.map(({ label = '', value }) => {
    const text = printExpression(value, inner, widthOf(label), comma.length);
    return `${' '.repeat(inner)}${label}${text}${comma}`;
  });
  return [open, ...lines, `${' '.repeat(indent)}${close}`].join('\n');
}

/** Prints an expression on one line. */
export function printFlat(expression: Expression): string {
  if (typeof expression === 'string') return expression;
  if ('union' in expression) return expression.union.join(' | ');
  const items = expression.items.map(({ label = '', value }) => `${label}${printFlat(value)}`);
  return `${expression.open}${items.join(', ')}${expression.close}`;
}

/** Returns the expression on one line if it fits into `room`. Gives up early, because each level calls it. */
function flatWithin(expression: Expression, room: number): string | undefined {
  if (typeof expression === 'string' || 'union' in expression) {
    const flat = printFlat(expression);
    return flat.length <= room ? flat : undefined;
  }
  const { open, items, close } = expression;
  let text = open;
  for (const [index, { label = '', value }] of items.entries()) {
    text += index === 0 ? label : `, ${label}`;
    const flat = flatWithin(value, room - text.length - close.length);
    if (flat === undefined) return undefined;
    text += flat;
  }
  text += close;
  return text.length <= room ? text : undefined;
}

/**
 * Returns the maximum width of a text in columns: characters beyond ASCII may be two columns wide. The formatter leaves
 * a list broken even if it would have fitted, since each item is followed by a comma.
 */
export function widthOf(text: string): number {
  const isAscii = /^[\x00-\x7f]*$/.test(text);
  return isAscii ? text.length : text.length + (text.match(/[^\x00-\x7f]/gu)?.length ?? 0);
}
