import { callOf, integerOf, mapParts, partsOf } from '../expression.ts';
import type { Expr, Rewrite } from '../expression.ts';
import type { StaticType } from '../check/static-type.ts';

/** Functions that only rewritten expressions call, defined in `list-functions.ts`. */
export const internalFunctions = {
  /** Charges the given units for one iteration. */
  tick: '@tick',
  /** Charges for enumerating a range, and returns the range. */
  range: '@range',
  /** Charges for traversing a value, and returns the value. */
  walk: '@walk',
  /** Returns a new list to append to. */
  list: '@list',
  /** Appends an element in place, and returns the list. */
  append: '@append',
} as const;

type TypeOf = (id: bigint) => StaticType;

/**
 * Rewrites an expression so that it also pays for work outside of functions: iterations, enumerating ranges, filling messages, and
 * converting Struct and Value. `map` and `filter` append to their list instead of concatenating, which takes quadratic time.
 *
 * @param typeOf static type of a part, by id
 */
export function boundCost(expr: Expr, typeOf: TypeOf): Expr {
  const rewrite: Rewrite = (part, locals) => {
    const mapped = boundParts(mapParts(part, locals, rewrite), typeOf);
    return convertsWhole(part, typeOf) ? callOf(part.id, internalFunctions.walk, [mapped]) : mapped;
  };
  return rewrite(expr, new Set());
}

function boundParts(expr: Expr, typeOf: TypeOf): Expr {
  const { exprKind, id } = expr;
  if (exprKind.case === 'structExpr' && exprKind.value.messageName !== '') {
    const entries = exprKind.value.entries.map((entry) =>
      entry.value === undefined
        ? entry
        : { ...entry, value: callOf(entry.id, internalFunctions.walk, [entry.value]) },
    );
    return { ...expr, exprKind: { ...exprKind, value: { ...exprKind.value, entries } } };
  }
  if (exprKind.case !== 'comprehensionExpr') return expr;
  const fold = exprKind.value;
  const { iterRange, accuInit, loopCondition, loopStep } = fold;
  if (
    iterRange === undefined ||
    accuInit === undefined ||
    loopCondition === undefined ||
    loopStep === undefined
  ) {
    return expr;
  }
  const tick = callOf(id, internalFunctions.tick, [integerOf(id, iterationCost(loopCondition, loopStep))]);
  const value = {
    ...fold,
    iterRange: callOf(iterRange.id, internalFunctions.range, [
      convertsElements(typeOf(iterRange.id))
        ? callOf(iterRange.id, internalFunctions.walk, [iterRange])
        : iterRange,
    ]),
    loopCondition: callOf(id, '_&&_', [tick, loopCondition]),
    ...(isEmptyList(accuInit)
      ? {
          accuInit: callOf(accuInit.id, internalFunctions.list, []),
          loopStep: appending(loopStep, fold.accuVar),
        }
      : {}),
  };
  return { ...expr, exprKind: { ...exprKind, value } };
}

/**
 * Expression nodes that the evaluator visits per unit of cost. Reading a field or an element takes as long as several nodes, and
 * so does an operator that may drop an error, because an operand may produce one each time.
 */
const nodesPerUnit = 4;
const nodesPerRead = 8;
const nodesPerLogic = 3;

function iterationCost(...parts: Expr[]): bigint {
  let nodes = 0;
  for (let open = parts; open.length > 0; open = open.flatMap(partsOf)) {
    for (const part of open) nodes += isRead(part) ? nodesPerRead : isLogic(part) ? nodesPerLogic : 1;
  }
  return BigInt(1 + Math.floor(nodes / nodesPerUnit));
}

function isRead({ exprKind }: Expr): boolean {
  return (
    exprKind.case === 'selectExpr' || (exprKind.case === 'callExpr' && exprKind.value.function === '_[_]')
  );
}

function isLogic({ exprKind }: Expr): boolean {
  return exprKind.case === 'callExpr' && ['_||_', '_&&_'].includes(exprKind.value.function);
}

/** Rewrites `acc + [x]` to `@append(acc, x)`, including in the branches of a conditional. */
function appending(step: Expr, accumulator: string): Expr {
  if (step.exprKind.case !== 'callExpr') return step;
  const { function: name, args } = step.exprKind.value;
  const [first, second] = args;
  if (name === '_+_' && first !== undefined && isIdentifier(first, accumulator)) {
    const [element] = second?.exprKind.case === 'listExpr' ? second.exprKind.value.elements : [];
    return element === undefined ? step : callOf(step.id, internalFunctions.append, [first, element]);
  }
  if (name !== '_?_:_') return step;
  return callOf(
    step.id,
    name,
    args.map((part, index) => (index === 0 ? part : appending(part, accumulator))),
  );
}

function isIdentifier({ exprKind }: Expr, name: string): boolean {
  return exprKind.case === 'identExpr' && exprKind.value.name === name;
}

function isEmptyList({ exprKind }: Expr): boolean {
  return exprKind.case === 'listExpr' && exprKind.value.elements.length === 0;
}

/** Reports whether the evaluator converts the whole selected or indexed value to CEL on every access. */
function convertsWhole({ exprKind, id }: Expr, typeOf: TypeOf): boolean {
  if (exprKind.case === 'callExpr') return exprKind.value.function === '_[_]' && isJson(typeOf(id));
  if (exprKind.case !== 'selectExpr' || exprKind.value.testOnly) return false;
  const { operand } = exprKind.value;
  return operand !== undefined && typeOf(operand.id).kind === 'message' && isJson(typeOf(id));
}

/** Reports whether values of the type may come from a Struct, Value or Any. */
function isJson(type: StaticType): boolean {
  const part = type.kind === 'list' ? type.element : type.kind === 'map' ? type.value : type;
  return part.kind === 'any' || part.kind === 'dyn';
}

/** Reports whether enumerating a range converts its elements. */
function convertsElements(range: StaticType): boolean {
  return range.kind !== 'map' && (range.kind !== 'list' || isJson(range) || isJson(range.element));
}
