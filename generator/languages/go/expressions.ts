/** A Go expression that may be broken over lines: finished text, or items between brackets. */
export type Expression = string | Bracketed;

interface Bracketed {
  /** Text before the items, including the opening bracket: `&Word{`. */
  open: string;
  items: Item[];
  /** The closing bracket. */
  close: string;
}

/** An item between brackets, with what precedes its value. */
export interface Item {
  /** Field name or key of a composite literal: `Text`, `"key"`. */
  key?: string;
  value: Expression;
}

/** gofmt does not break lines; this width is for readers. */
const lineWidth = 100;
const tabWidth = 4;

/** Returns a call, its arguments in order. */
export function call(callee: string, args: readonly Expression[]): Expression {
  return { open: `${callee}(`, items: args.map((value) => ({ value })), close: ')' };
}

/**
 * Prints an expression as gofmt would: on one line if it is short enough, otherwise with one item per line and aligned values.
 * @param indent Tabs before the line that the expression begins on.
 * @param before Characters on that line before the expression.
 */
export function printExpression(expression: Expression, indent: number, before: number): string {
  if (typeof expression === 'string') return expression;
  if (expression.items.length === 0) return printFlat(expression);
  const room = lineWidth - indent * tabWidth - before;
  return flatWithin(expression, room) ?? printBroken(expression, indent);
}

/** Prints a bracketed expression with one item per line, even if it would fit on one line. */
function printBroken({ open, items, close }: Bracketed, indent: number): string {
  const margin = '\t'.repeat(indent + 1);
  const lines = items.map(({ key, value }) => ({
    key,
    text: printExpression(value, indent + 1, key === undefined ? 0 : key.length + 2),
  }));
  const printed = alignValues(lines).map((line) => `${margin}${line},`);
  return [open, ...printed, `${'\t'.repeat(indent)}${close}`].join('\n');
}

interface KeyedLine {
  key: string | undefined;
  text: string;
}

/** Pads what follows the keys of lines that gofmt aligns with each other. */
function alignValues(lines: readonly KeyedLine[]): string[] {
  return alignedSections(lines).flatMap((section) => {
    const width = Math.max(...section.map(({ key = '' }) => columnsOf(key)));
    return section.map(({ key, text }) =>
      key === undefined ? text : `${key}:${' '.repeat(width - columnsOf(key) + 1)}${text}`,
    );
  });
}

const smallKey = 40;
const mostUneven = 2.5;

/**
 * Returns the sections in which gofmt aligns values (go/printer, exprList): a value of several lines has its own
 * section, and so does a key that is long and differs in length from the keys before it.
 */
function alignedSections(lines: readonly KeyedLine[]): KeyedLine[][] {
  const sections: KeyedLine[][] = [];
  let before = 0;
  let logarithms = 0;
  let count = 0;
  for (const line of lines) {
    const size = line.text.includes('\n') ? 0 : sizeOf(line.key ?? '');
    let joins = false;
    if (before > 0 && size > 0) {
      const ratio = size / Math.exp(logarithms / count);
      const even = mostUneven * ratio > 1 && ratio < mostUneven;
      joins = count === 0 || (before <= smallKey && size <= smallKey) || even;
    }
    const section = sections.at(-1);
    if (joins && section) section.push(line);
    else {
      sections.push([line]);
      logarithms = 0;
      count = 0;
    }
    if (size > 0) {
      logarithms += Math.log(size);
      count += 1;
    }
    before = size;
  }
  return sections;
}

/** Prints an expression on one line. */
export function printFlat(expression: Expression): string {
  if (typeof expression === 'string') return expression;
  const items = expression.items.map(({ key, value }) =>
    key === undefined ? printFlat(value) : `${key}: ${printFlat(value)}`,
  );
  return `${expression.open}${items.join(', ')}${expression.close}`;
}

/** Returns the expression on one line if it fits into `room`. Gives up early, because each level calls it. */
function flatWithin(expression: Expression, room: number): string | undefined {
  if (typeof expression === 'string') return expression.length <= room ? expression : undefined;
  const { open, items, close } = expression;
  let text = open;
  for (const [index, { key, value }] of items.entries()) {
    text += `${index === 0 ? '' : ', '}${key === undefined ? '' : `${key}: `}`;
    const flat = flatWithin(value, room - text.length - close.length);
    if (flat === undefined) return undefined;
    text += flat;
  }
  text += close;
  return text.length <= room ? text : undefined;
}

/** Columns as gofmt counts them: code points. */
function columnsOf(text: string): number {
  return isAscii(text) ? text.length : Array.from(text).length;
}

/** Returns the length in bytes of UTF-8, by which gofmt compares keys. */
function sizeOf(text: string): number {
  return isAscii(text) ? text.length : new TextEncoder().encode(text).length;
}

function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text);
}
