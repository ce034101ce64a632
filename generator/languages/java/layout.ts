import { literalUnits, stringLiteral } from './literals.ts';

/** A Java expression that google-java-format may break. A string is finished text, which is never broken. */
export type Expression = string | Literal | Constant | Reference | Choice | Lambda | Call | Chain;

/** A string literal, given by its text. */
interface Literal {
  string: string;
}

/** `Color.RED` */
interface Constant {
  type: string;
  constant: string;
}

/** `Word::text` */
interface Reference {
  owner: string;
  method: string;
}

/** `condition ? yes : no` */
interface Choice {
  condition: string;
  yes: string;
  no: Call;
}

/** `word -> body` */
interface Lambda {
  parameter: string;
  body: Expression;
}

/** A call and its arguments. */
export interface Call {
  /** `List.of`, `new Word` */
  callee: string;
  args: readonly Expression[];
}

/** A chain of calls that begins with a static call. */
interface Chain {
  /** `Word.builder()` */
  head: string;
  /** `text("hello")`, `build()` */
  links: readonly Call[];
}

/**
 * An expression and its text on one line. Every level checks whether it fits, so the text is computed once, from the inside out:
 * printing takes time proportional to the text, no matter how deeply its calls are nested.
 */
export interface Measured {
  expression: Expression;
  flat: string;
  /** Arguments of a call, links of a chain, the body of a lambda, the second of a choice. */
  parts: readonly Measured[];
}

/** Position of an expression. */
interface Place {
  /** Spaces before the line that the expression begins on. */
  indent: number;
  /** Characters before the expression on that line, including indentation. */
  column: number;
  /** Characters after the expression on its last line. */
  after: number;
}

/** Defaults of google-java-format. */
export const lineWidth = 100;
export const continuation = 4;

/** Returns the expression with the one-line text of each of its parts. Returns measured expressions unchanged. */
export function measured(expression: Expression | Measured): Measured {
  if (typeof expression !== 'string' && 'flat' in expression) return expression;
  if (typeof expression === 'string') return { expression, flat: expression, parts: [] };
  if ('string' in expression) return { expression, flat: stringLiteral(expression.string), parts: [] };
  if ('constant' in expression)
    return { expression, flat: `${expression.type}.${expression.constant}`, parts: [] };
  if ('owner' in expression)
    return { expression, flat: `${expression.owner}::${expression.method}`, parts: [] };
  if ('yes' in expression) {
    const { condition, yes } = expression;
    const no = measured(expression.no);
    return { expression, flat: `${condition} ? ${yes} : ${no.flat}`, parts: [no] };
  }
  if ('body' in expression) {
    const body = measured(expression.body);
    return { expression, flat: `${expression.parameter} -> ${body.flat}`, parts: [body] };
  }
  if ('links' in expression) {
    const parts = expression.links.map(measured);
    return { expression, flat: parts.reduce((text, { flat }) => `${text}.${flat}`, expression.head), parts };
  }
  const parts = expression.args.map(measured);
  return { expression, flat: `${expression.callee}(${listed(parts)})`, parts };
}

/** Prints an expression as google-java-format would. */
export function print({ expression, flat, parts }: Measured, place: Place): string {
  if (fits(flat, place) || typeof expression === 'string') return flat;
  const margin = newLine(place.indent + continuation);
  if ('string' in expression) return stringPieces(expression.string, place).join(`${margin}+ `);
  if ('constant' in expression) return `${expression.type}${margin}.${expression.constant}`;
  if ('owner' in expression) return `${expression.owner}${margin}::${expression.method}`;
  if ('yes' in expression) {
    const indent = place.indent + continuation;
    const no = parts.map((call) => print(call, { indent, column: indent + 2, after: place.after }));
    return [expression.condition, `? ${expression.yes}`, `: ${no.join('')}`].join(margin);
  }
  if ('body' in expression) {
    const indent = place.indent + continuation;
    const bodies = parts.map((body) => print(body, { indent, column: indent, after: place.after }));
    return [`${expression.parameter} ->`, ...bodies].join(margin);
  }
  if ('links' in expression) {
    const indent = place.indent + continuation;
    const { head, links } = expression;
    const flatUpTo = (end: number): string =>
      parts.slice(0, end).reduce((text, { flat: link }) => `${text}.${link}`, head);
    const kept = links.findLastIndex(
      ({ callee }, index) =>
        isKeptInLine.has(callee) && fits(`${flatUpTo(index)}.${callee}(`, { ...place, after: 0 }),
    );
    const begin = fits(head, { ...place, after: 0 }) ? head : head.replace('.', `${margin}.`);
    return parts.reduce((text, link, index) => {
      const after = index === parts.length - 1 ? place.after : 0;
      if (index < kept) return `${text}.${link.flat}`;
      return index === kept
        ? `${text}.${print(link, { indent, column: place.column + text.length + 1, after })}`
        : `${text}${margin}.${print(link, { indent, column: indent + 1, after })}`;
    }, begin);
  }
  if (parts.length === 0) return flat;
  return `${expression.callee}(${brokenList(parts, place.indent + continuation, place.after + 1)})`;
}

/** Methods that the formatter keeps on one line with what precedes them: `words.stream()`, even if they are setters. */
const isKeptInLine: ReadonlySet<string> = new Set(['stream', 'parallelStream', 'toBuilder']);

/** Prints items between broken brackets: all on the next line, otherwise one per line, or filled if all are short. */
function brokenList(items: readonly Measured[], indent: number, after: number): string {
  const margin = newLine(indent);
  const together = listed(items);
  if (indent + widthOf(together) + after <= lineWidth) return margin + together;
  const [format, ...values] = items;
  if (format !== undefined && values.length > 0 && isFormat(format)) {
    const first = print(format, { indent, column: indent, after: 1 });
    return `${margin}${first},${brokenList(values, indent, after)}`;
  }
  if (items.every(({ flat }) => flat.length < shortItem)) return filledList(items, indent, after);
  return items
    .map((item, index) => {
      const isLast = index === items.length - 1;
      const text = print(item, { indent, column: indent, after: isLast ? after : 1 });
      return margin + text + (isLast ? '' : ',');
    })
    .join('');
}

/** Lists whose items are all shorter than this are filled. */
const shortItem = 10;

function filledList(items: readonly Measured[], indent: number, after: number): string {
  let text = '';
  let column = lineWidth;
  for (const [index, { flat }] of items.entries()) {
    const isLast = index === items.length - 1;
    const width = flat.length + (isLast ? after : 1);
    if (text === '' || column + 1 + width > lineWidth) {
      text += newLine(indent) + flat;
      column = indent + flat.length;
    } else {
      text += ` ${flat}`;
      column += 1 + flat.length;
    }
    if (!isLast) {
      text += ',';
      column += 1;
    }
  }
  return text;
}

/** Concatenates instead of joining: concatenated strings share memory with their parts. */
function listed(items: readonly Measured[]): string {
  return items.reduce((text, { flat }, index) => (index === 0 ? flat : `${text}, ${flat}`), '');
}

/**
 * Reports whether the formatter treats the first argument as a format string and keeps the other arguments together.
 */
function isFormat({ expression, flat }: Measured): boolean {
  return typeof expression !== 'string' && 'string' in expression && /%|\{[0-9]\}/.test(flat);
}

/** Reports whether a text has room on the line that it begins on. */
export function fits(text: string, { column, after }: Place): boolean {
  return column + widthOf(text) + after <= lineWidth;
}

/** Splits a literal that is too long for its line into several literals that the formatter accepts. */
function stringPieces(text: string, { indent, column, after }: Place): string[] {
  const pieces: string[] = [];
  let piece = '';
  let width = 0;
  const units = literalUnits(text);
  let room = lineWidth - column - 2;
  // If the text fits but what follows it does not, leaves room for what follows.
  if (widthOf(units.join('')) <= room) room -= after;
  for (const unit of units) {
    const unitWidth = widthOf(unit);
    if (width + unitWidth > room) {
      pieces.push(`"${piece}"`);
      piece = '';
      width = 0;
      room = lineWidth - indent - continuation - '+ ""'.length - after;
    }
    piece += unit;
    width += unitWidth;
  }
  return [...pieces, `"${piece}"`];
}

/** Returns a line break with the indentation of the next line, in spaces. */
export function newLine(indent: number): string {
  return `\n${' '.repeat(indent)}`;
}

/** Columns of a text as google-java-format counts them. */
export function widthOf(text: string): number {
  return text.length;
}
