import { expressionLimits } from '../expression-limits.ts';
import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import { parseNumber, valueOfNumber } from '../transforms/numbers.ts';
import { absent, text } from '../transforms/value.ts';
import type { Value } from '../transforms/value.ts';
import { adviceOnTerms, readTokens } from './tokens.ts';
import type { Token } from './tokens.ts';

/** A parsed adapter expression, not yet resolved against message types. */
export interface AdapterExpression {
  head: Head;
  /** In order of application. */
  transforms: TransformCall[];
}

/** The first term of an expression, whose value goes through the transforms. */
export type Head =
  | { kind: 'literal'; value: Value }
  /** A field of a source, or the whole message when the path is empty. `edge` is set when the expression names one. */
  | { kind: 'pick'; edge?: string; path: string[] }
  /** A transform that takes no piped value: `cel(...)`. */
  | { kind: 'call'; call: TransformCall };

/** A transform with its arguments, which are literals. Neither is checked yet. */
export interface TransformCall {
  name: string;
  args: Value[];
  /** Column of the name, from 1. */
  column: number;
}

/**
 * Parses an adapter expression.
 *
 * ```
 * expression = head { "|" transform }
 * head       = literal | pick | "cel" "(" [ arguments ] ")"
 * pick       = [ edge ":" ] ( path | "*" )             "*" is the whole message
 * edge       = name | string                           the id of an edge, quoted if it is not a name
 * path       = field { "." field }
 * transform  = name [ "(" [ arguments ] ")" ]
 * arguments  = literal { "," literal }
 * literal    = string | number | "true" | "false" | "null"
 * field      = letter or "_", then letters, digits, "_"
 * name       = letters, digits, "_", "-"; must not begin with "-"
 * string     = text in double or single quotes, with the escapes of JSON
 * number     = decimal, as in JSON, also with a leading "+" or "."
 * ```
 *
 * White space is allowed between tokens.
 *
 * @returns the expression, or the syntax error with its column, from 1
 */
export function parseAdapter(source: string): Outcome<AdapterExpression> {
  if (source.trim() === '')
    return failed('the expression is empty: write a field of the source or a literal');
  if (source.length > expressionLimits.adapterCharacters) {
    return failed(`the expression is longer than ${expressionLimits.adapterCharacters} characters`);
  }
  const tokens = readTokens(source);
  if (!tokens.ok) return tokens;
  try {
    return done(readExpression(new Reader(tokens.value)));
  } catch (error) {
    if (error instanceof SyntaxProblem) return failed(error.message);
    throw error;
  }
}

/** A syntax error. Caught in `parseAdapter`. */
class SyntaxProblem extends Error {}

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get next(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', column: 1 };
  }

  /** Reports whether the token after the next one is this symbol. */
  isFollowedBy(symbol: string): boolean {
    const token = this.#tokens[this.#at + 1];
    return token?.kind === 'symbol' && token.text === symbol;
  }

  take(): Token {
    const token = this.next;
    this.#at++;
    return token;
  }

  /** Consumes the symbol if it is next. */
  takeIf(symbol: string): boolean {
    const { next } = this;
    if (next.kind !== 'symbol' || next.text !== symbol) return false;
    this.#at++;
    return true;
  }

  fail(wanted: string, advice = ''): never {
    const { next } = this;
    const found = describeToken(next);
    throw new SyntaxProblem(`expected ${wanted} at column ${next.column}, found ${found}${advice}`);
  }
}

function readExpression(reader: Reader): AdapterExpression {
  const head = readHead(reader);
  const transforms: TransformCall[] = [];
  while (reader.takeIf('|')) {
    if (transforms.length === expressionLimits.adapterTransforms) {
      throw new SyntaxProblem(
        `the expression has more than ${expressionLimits.adapterTransforms} transforms`,
      );
    }
    transforms.push(readTransform(reader));
  }
  if (reader.next.kind !== 'end') reader.fail('"|" or the end', `: ${adviceOnTerms}`);
  return { head, transforms };
}

function readHead(reader: Reader): Head {
  const { next } = reader;
  if (
    (next.kind === 'name' || next.kind === 'string' || next.kind === 'number') &&
    reader.isFollowedBy(':')
  ) {
    reader.take();
    reader.takeIf(':');
    const edge = next.kind === 'string' ? next.value : next.text;
    return { kind: 'pick', edge, path: readPath(reader) };
  }
  if (next.kind === 'name' && reader.isFollowedBy('(')) {
    if (next.text === 'cel') return { kind: 'call', call: readTransform(reader) };
    throw new SyntaxProblem(
      `"${next.text}" at column ${next.column} needs a piped value: write <field> | ${next.text}(...)`,
    );
  }
  const literal = takeLiteral(reader);
  return literal === undefined
    ? { kind: 'pick', path: readPath(reader) }
    : { kind: 'literal', value: literal };
}

function readPath(reader: Reader): string[] {
  if (reader.takeIf('*')) return [];
  const path: string[] = [];
  do {
    const { next } = reader;
    if (next.kind !== 'name' || !/^[A-Za-z_]\w*$/.test(next.text)) reader.fail('a field name');
    path.push(next.text);
    reader.take();
  } while (reader.takeIf('.'));
  return path;
}

function readTransform(reader: Reader): TransformCall {
  const { next } = reader;
  if (next.kind !== 'name') reader.fail('a transform name');
  reader.take();
  const call: TransformCall = { name: next.text, args: [], column: next.column };
  if (!reader.takeIf('(') || reader.takeIf(')')) return call;
  do {
    const literal = takeLiteral(reader);
    if (literal === undefined) reader.fail('a literal (a quoted string, a number, true, false or null)');
    call.args.push(literal);
  } while (reader.takeIf(','));
  if (!reader.takeIf(')')) reader.fail('"," or ")"');
  return call;
}

const keywords: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['true', { kind: 'bool', value: true }],
  ['false', { kind: 'bool', value: false }],
  ['null', absent],
]);

function takeLiteral(reader: Reader): Value | undefined {
  const { next } = reader;
  let literal: Value | undefined;
  if (next.kind === 'string') literal = text(next.value);
  if (next.kind === 'number') literal = numberLiteral(next.text, next.column);
  if (next.kind === 'name') literal = keywords.get(next.text);
  if (literal !== undefined) reader.take();
  return literal;
}

function numberLiteral(source: string, column: number): Value {
  const number = parseNumber(source);
  if (number !== undefined) return valueOfNumber(number);
  throw new SyntaxProblem(`the number at column ${column} is too long`);
}

function describeToken(token: Token): string {
  switch (token.kind) {
    case 'end':
      return 'the end of the expression';
    case 'string':
      return `the string ${JSON.stringify(token.value.slice(0, 40))}`;
    default:
      return `"${token.text.slice(0, 40)}"`;
  }
}
