import { literalUnits, stringLiteral } from './literals.ts';

/** A Java expression that google-java-format may break; a text is finished, and never broken. */
export type Expression = string | Literal | Reference | Choice | Call | Chain;

/** A string literal, by its text. */
export interface Literal {
  string: string;
}

/** `Word::text` */
export interface Reference {
  owner: string;
  method: string;
}

/** `condition ? yes : no` */
export interface Choice {
  condition: string;
  yes: string;
  no: string;
}

/** A call and its arguments. */
export interface Call {
  /** `List.of`, `new Word` */
  callee: string;
  args: readonly Expression[];
}

/** Calls one after the other, which begin with a static one. */
export interface Chain {
  /** `Word.builder()` */
  head: string;
  /** `text("hello")`, `build()` */
  links: readonly Call[];
}

/** What google-java-format does without options. */
const lineWidth = 100;
const continuation = 4;

/** The expression on one line. */
export function flat(expression: Expression): string {
  if (typeof expression === 'string') return expression;
  if ('string' in expression) return stringLiteral(expression.string);
  if ('owner' in expression) return `${expression.owner}::${expression.method}`;
  if ('yes' in expression) return `${expression.condition} ? ${expression.yes} : ${expression.no}`;
  if ('links' in expression) return [expression.head, ...expression.links.map(flat)].join('.');
  return `${expression.callee}(${expression.args.map(flat).join(', ')})`;
}

/** Where an expression stands. */
export interface Place {
  /** Spaces before the line that the expression begins on. */
  indent: number;
  /** Characters of that line before the expression, its indentation included. */
  column: number;
  /** Characters that have to stand behind the expression on its last line. */
  after: number;
}

/** Prints an expression as google-java-format leaves it. */
export function print(expression: Expression, place: Place): string {
  const text = flatWithin(expression, lineWidth - place.column - place.after);
  if (text !== undefined) return text;
  if (typeof expression === 'string') return expression;
  const margin = newLine(place.indent + continuation);
  if ('string' in expression) return stringPieces(expression.string, place).join(`${margin}+ `);
  if ('owner' in expression) return `${expression.owner}${margin}::${expression.method}`;
  if ('yes' in expression)
    return `${expression.condition}${margin}? ${expression.yes}${margin}: ${expression.no}`;
  if ('links' in expression) {
    const links = expression.links.map((link, index) =>
      printCall(link, {
        indent: place.indent + continuation,
        column: place.indent + continuation + 1,
        after: index === expression.links.length - 1 ? place.after : 0,
      }),
    );
    return [expression.head, ...links].join(`${margin}.`);
  }
  return printCall(expression, place);
}

/** A call whose arguments stand on lines of their own when it does not fit. */
function printCall(call: Call, place: Place): string {
  const { callee, args } = call;
  const text = flatWithin(call, lineWidth - place.column - place.after);
  if (text !== undefined || args.length === 0) return text ?? flat(call);
  return `${callee}(${brokenList(args, place.indent + continuation, place.after + 1)})`;
}

/** Items between brackets that broke: all on the next line, else one a line, or filled when all of them are short. */
function brokenList(items: readonly Expression[], indent: number, after: number): string {
  const margin = newLine(indent);
  const flatItems = items.map(flat);
  const together = flatItems.join(', ');
  if (indent + widthOf(together) + after <= lineWidth) return margin + together;
  const [format, ...values] = items;
  if (format !== undefined && values.length > 0 && isFormat(format)) {
    const first = print(format, { indent, column: indent, after: 1 });
    return `${margin}${first},${brokenList(values, indent, after)}`;
  }
  if (flatItems.every((item) => item.length < shortItem)) return filledList(flatItems, indent, after);
  return items
    .map((item, index) => {
      const isLast = index === items.length - 1;
      const text = print(item, { indent, column: indent, after: isLast ? after : 1 });
      return margin + text + (isLast ? '' : ',');
    })
    .join('');
}

/** Items shorter than this are filled into lines. */
const shortItem = 10;

function filledList(items: readonly string[], indent: number, after: number): string {
  let text = '';
  let column = lineWidth;
  for (const [index, item] of items.entries()) {
    const isLast = index === items.length - 1;
    const width = item.length + (isLast ? after : 1);
    if (text === '' || column + 1 + width > lineWidth) {
      text += newLine(indent) + item;
      column = indent + item.length;
    } else {
      text += ` ${item}`;
      column += 1 + item.length;
    }
    if (!isLast) {
      text += ',';
      column += 1;
    }
  }
  return text;
}

/** Whether the formatter takes a first argument for a format, behind which the values stand together. */
function isFormat(expression: Expression): boolean {
  return typeof expression !== 'string' && 'string' in expression && /%|\{[0-9]\}/.test(flat(expression));
}

/** The expression on one line when that is no wider than `room`. */
function flatWithin(expression: Expression, room: number): string | undefined {
  const text = flat(expression);
  return widthOf(text) <= room ? text : undefined;
}

/** A literal too long for its line as several, none of which the formatter wants to break again. */
function stringPieces(text: string, { indent, column, after }: Place): string[] {
  const pieces: string[] = [];
  let piece = '';
  let width = 0;
  let room = lineWidth - column - 2;
  for (const unit of literalUnits(text)) {
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

/** A statement that assigns or declares: `Word input = ...;`. Breaks behind its sign first. */
export function assignment(left: string, right: Expression, indent: number): string {
  const column = indent + left.length + ' = '.length;
  const text = flatWithin(right, lineWidth - column - 1);
  if (text !== undefined) return `${left} = ${text};`;
  const inner = indent + continuation;
  return `${left} =${newLine(inner)}${print(right, { indent: inner, column: inner, after: 1 })};`;
}

/** A declaration of a field, whose name moves to a line of its own when the type leaves it no room. */
export function declaration(
  type: string,
  name: string,
  value: Expression | undefined,
  indent: number,
): string {
  const left = `${type} ${name}`;
  const sign = value === undefined ? ';' : ' =';
  const whole = value === undefined ? `${left};` : `${left} = ${flat(value)};`;
  if (indent + widthOf(whole) <= lineWidth) return whole;
  if (indent + widthOf(left + sign) <= lineWidth && value !== undefined)
    return assignment(left, value, indent);
  const inner = indent + continuation;
  const rest = value === undefined ? `${name};` : assignment(name, value, inner);
  return type + newLine(inner) + rest;
}

/** A statement that is a call, or begins with `before` and is one: `return connection.callNode(...);`. */
export function statement(call: Expression, indent: number, before = ''): string {
  return `${before}${print(call, { indent, column: indent + before.length, after: 1 })};`;
}

/**
 * The head of a method, constructor or record: parameters that do not fit stand on the next line, else one a line; the name
 * moves to the next line when the type leaves it no room.
 *
 * @param type modifiers and result; empty for none.
 */
export function methodHead(
  type: string,
  name: string,
  parameters: readonly string[],
  indent: number,
  end = ' {',
): string {
  const left = type === '' ? name : `${type} ${name}`;
  const whole = `${left}(${parameters.join(', ')})${end}`;
  if (indent + widthOf(whole) <= lineWidth) return whole;
  if (indent + widthOf(left) + 1 <= lineWidth || type === '')
    return `${left}(${brokenParameters(parameters, indent + continuation, end)}`;
  const inner = indent + continuation;
  const rest = `${name}(${parameters.join(', ')})${end}`;
  const moved =
    inner + widthOf(rest) <= lineWidth
      ? rest
      : `${name}(${brokenParameters(parameters, inner + continuation, end)}`;
  return type + newLine(inner) + moved;
}

function brokenParameters(parameters: readonly string[], indent: number, end: string): string {
  const together = `${parameters.join(', ')})${end}`;
  if (indent + widthOf(together) <= lineWidth) return newLine(indent) + together;
  return parameters
    .map((parameter, index) => {
      const behind = index === parameters.length - 1 ? `)${end}` : ',';
      return newLine(indent) + brokenParameter(parameter + behind, indent);
    })
    .join('');
}

/** `Type name` on two lines where it has to be. */
function brokenParameter(text: string, indent: number): string {
  if (indent + widthOf(text) <= lineWidth) return text;
  const split = text.search(/ \w+\)?( \{\}?|,)?$/);
  return `${text.slice(0, split)}${newLine(indent + continuation)}${text.slice(split + 1)}`;
}

/** A directive of a module declaration that names a package: `exports svc.acme.text;`. */
export function directive(word: string, name: string, end: string, indent: number): string {
  const text = `${word} ${name}${end}`;
  if (indent + text.length <= lineWidth) return text;
  const [first = '', second = '', ...rest] = name.split('.');
  return `${word} ${[`${first}.${second}`, ...rest].join(`${newLine(indent + continuation)}.`)}${end}`;
}

function newLine(indent: number): string {
  return `\n${' '.repeat(indent)}`;
}

/** Columns of a text as google-java-format counts them. */
export function widthOf(text: string): number {
  return text.length;
}
