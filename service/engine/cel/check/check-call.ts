import type { Expr, Expr_Call } from '@bufbuild/cel-spec/cel/expr/syntax_pb.js';
import { candidateNames, qualifiedName } from './names.ts';
import type { Variables } from './names.ts';
import type { Overload } from './overloads.ts';
import { boolType, describeType, dynType, isSameType } from './static-type.ts';
import type { StaticType } from './static-type.ts';
import { isLocal, TypeProblem, undeclared } from './walk.ts';
import type { Walk } from './walk.ts';

/** Returns the result type of the matching overloads of a call, or `dyn` if they differ. */
export function checkCall(expr: Expr, call: Expr_Call, locals: Variables, walk: Walk): StaticType {
  const { context, unifier } = walk;
  const qualified = qualifiedFunction(call, locals, walk);
  const overloads = qualified ?? context.overloads(call.function, unifier);
  const asMethod = qualified === undefined && call.target !== undefined;
  const target = asMethod ? walk.check(call.target, locals) : undefined;
  const given = call.args.map((argument) => walk.check(argument, locals));
  if (call.function === '_&&_' || call.function === '_||_') {
    if (given.every((type) => unifier.assignable(boolType, type))) return boolType;
    throw noOverload(expr, call, target, given, walk);
  }
  if (overloads === undefined) throw undeclared(call.function, expr, context);
  const result = matchingResult(overloads, target, given, walk);
  if (result === undefined) throw noOverload(expr, call, target, given, walk);
  return result;
}

/** Resolves a function with dots in its name (`strings.quote(x)`), which parses as a method call. */
function qualifiedFunction(
  call: Expr_Call,
  locals: Variables,
  { context, unifier }: Walk,
): readonly Overload[] | undefined {
  const prefix = qualifiedName(call.target);
  if (prefix === undefined || isLocal(prefix, locals)) return undefined;
  return candidateNames(`${prefix}.${call.function}`, context.container)
    .map((name) => context.overloads(name, unifier))
    .find((found) => found !== undefined);
}

function matchingResult(
  overloads: readonly Overload[],
  target: StaticType | undefined,
  given: readonly StaticType[],
  { unifier }: Walk,
): StaticType | undefined {
  const actual = target === undefined ? given : [target, ...given];
  let found: StaticType | undefined;
  for (const overload of overloads) {
    if ((overload.target === undefined) !== (target === undefined)) continue;
    const wanted =
      overload.target === undefined ? overload.parameters : [overload.target, ...overload.parameters];
    if (!unifier.allAssignable(actual, wanted)) continue;
    const result = unifier.resolve(overload.result);
    found = found === undefined || isSameType(found, result) ? result : dynType;
  }
  return found;
}

function noOverload(
  expr: Expr,
  call: Expr_Call,
  target: StaticType | undefined,
  given: readonly StaticType[],
  { unifier }: Walk,
): TypeProblem {
  const resolved = given.map((type) => unifier.resolve(type));
  const types = resolved.map(describeType).join(', ');
  const on = target === undefined ? '' : `${describeType(unifier.resolve(target))}.`;
  return new TypeProblem(
    `found no matching overload for '${call.function}' applied to '${on}(${types})'${mixedNumbers(call.function, resolved)}`,
    expr,
  );
}

/**
 * Returns a hint for an operator between numbers of different types, such as `_*_` of a double and an int. Empty for
 * other calls.
 */
function mixedNumbers(operator: string, operands: readonly StaticType[]): string {
  const kinds = new Set(operands.map((type) => (type.kind === 'wrapper' ? type.of.kind : type.kind)));
  const isMixed = /^_\W+_$/.test(operator) && kinds.size === 2;
  if (!isMixed || ![...kinds].every((kind) => ['double', 'int', 'uint'].includes(kind))) return '';
  return kinds.has('double')
    ? ': numbers of different types do not mix: write 2.0 instead of 2, or convert with double(...)'
    : ': numbers of different types do not mix: write 2u for a uint, or convert with int(...) or uint(...)';
}
