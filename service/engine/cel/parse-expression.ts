import { parse } from '@bufbuild/cel';
import type { Constant } from '@bufbuild/cel-spec/cel/expr/syntax_pb.js';
import { celParseError } from '../../errors/edge-errors.ts';
import { thrownMessage } from '../../errors/thrown-message.ts';
import { expressionLimits } from '../expression-limits.ts';
import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import { partsOf } from './expression.ts';
import type { Expr, ParsedExpression } from './expression.ts';

/** Parses CEL and enforces the limits on length and nesting. */
export function parseExpression(source: string): Outcome<ParsedExpression> {
  const { celCharacters, celDepth } = expressionLimits;
  if (source.trim() === '') return failed(celParseError('the expression is empty'));
  if (source.length > celCharacters) {
    return failed(celParseError(`the expression is longer than ${celCharacters} characters`));
  }
  let parsed: ParsedExpression;
  try {
    parsed = parse(source);
  } catch (error) {
    if (error instanceof RangeError) {
      // Any other error is a stack overflow of the recursive parser. Such nesting is far beyond the limit.
      return failed(error.message.includes('code point') ? notUnicode() : tooDeep());
    }
    return failed(celParseError(describeSyntaxError(error) + remedyOf(error, source)));
  }
  if (isDeeperThan(celDepth, parsed.expr)) return failed(tooDeep());
  const number = findOutOfRangeLiteral(parsed.expr);
  return number === undefined
    ? done(parsed)
    : failed(celParseError(`invalid ${number} literal: out of range`));
}

function tooDeep(): string {
  return celParseError(`the expression is nested deeper than ${expressionLimits.celDepth} levels`);
}

function notUnicode(): string {
  return celParseError('an escape is beyond \\U0010FFFF, the last character of Unicode');
}

function isDeeperThan(levels: number, expr: Expr): boolean {
  let layer: Expr[] = [expr];
  for (let depth = 0; layer.length > 0; depth++) {
    if (depth > levels) return true;
    layer = layer.flatMap(partsOf);
  }
  return false;
}

/** The error that the parser throws, whose class is not exported. Its suggestions are misleading and dropped. */
interface SyntaxProblem {
  location: { start: { offset: number; line: number; column: number } };
  found: string;
}

function describeSyntaxError(error: unknown): string {
  if (!isSyntaxProblem(error)) {
    return thrownMessage(error).replace(/^<input>:/, '');
  }
  const { location, found } = error;
  const got = found === '' ? 'end of expression' : `'${found.toWellFormed()}'`;
  return `${location.start.line}:${location.start.column}: syntax error at ${got}`;
}

/** Operators of other languages, at the position that the parser reports. */
const otherOperators: readonly (readonly [spelling: RegExp, remedy: string])[] = [
  [/(?:and|or|not)\b|(?<=\bnot\s+)|&(?!&)|\|(?!\|)/iy, ': the logical operators are &&, || and !'],
  [/=(?!=)/y, ': write == to compare'],
];

function remedyOf(error: unknown, source: string): string {
  const offset = isSyntaxProblem(error) ? error.location.start.offset : source.length;
  const found = otherOperators.find(([spelling]) => {
    spelling.lastIndex = offset;
    return spelling.test(source);
  });
  return found?.[1] ?? unclosed(source);
}

/** The parser reports the next token instead, for example an operator. */
function unclosed(source: string): string {
  const code = source.replaceAll(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, '');
  const count = (parenthesis: string): number => code.split(parenthesis).length - 1;
  return count('(') > count(')') ? ': a parenthesis is not closed' : '';
}

function isSyntaxProblem(error: unknown): error is SyntaxProblem {
  return error instanceof Error && 'location' in error && 'found' in error && typeof error.found === 'string';
}

/** Finds a number literal beyond 64 bits, which the parser accepts. */
function findOutOfRangeLiteral(expr: Expr): string | undefined {
  for (let layer: Expr[] = [expr]; layer.length > 0; layer = layer.flatMap(partsOf)) {
    for (const { exprKind } of layer) {
      if (exprKind.case !== 'constExpr') continue;
      const { constantKind } = exprKind.value;
      const kind = outOfRangeKind(constantKind);
      if (kind !== undefined) return kind;
    }
  }
  return undefined;
}

function outOfRangeKind(constant: Constant['constantKind']): string | undefined {
  switch (constant.case) {
    case 'int64Value':
      return BigInt.asIntN(64, constant.value) === constant.value ? undefined : 'int';
    case 'uint64Value':
      return BigInt.asUintN(64, constant.value) === constant.value ? undefined : 'uint';
    case 'doubleValue':
      return constant.value === Infinity ? 'double' : undefined;
    default:
      return undefined;
  }
}
