import type { DescMessage } from '@bufbuild/protobuf';
import type {
  Expr,
  Expr_Comprehension,
  Expr_CreateStruct,
  Expr_Select,
} from '@bufbuild/cel-spec/cel/expr/syntax_pb.js';
import { fieldNamesOf } from '../../../messages/field-names.ts';
import { fieldStaticType, messageStaticType } from './field-type.ts';
import { checkCall } from './check-call.ts';
import { candidateNames, lookUpName, qualifiedName } from './names.ts';
import type { Variables } from './names.ts';
import {
  boolType,
  bytesType,
  describeType,
  doubleType,
  dynType,
  intType,
  listOf,
  mapOf,
  nullType,
  stringType,
  uintType,
} from './static-type.ts';
import type { StaticType } from './static-type.ts';
import { createUnifier } from './unifier.ts';
import type { Unifier } from './unifier.ts';
import { undeclaredName } from './undeclared-name.ts';
import { isLocal, TypeProblem, undeclared } from './walk.ts';
import type { CheckContext, Walk } from './walk.ts';

/** The type of an expression, and the types of its parts by id. */
export interface CheckedTypes {
  type: StaticType;
  typeOf: (id: bigint) => StaticType;
}

/**
 * Type-checks an expression like the checker of cel-go. docs/cel-conformance.md lists the differences.
 *
 * @throws TypeProblem for the first ill-typed or undeclared part
 */
export function checkTypes(expr: Expr, context: CheckContext): CheckedTypes {
  const unifier = createUnifier();
  const types = new Map<bigint, StaticType>();
  const walk: Walk = {
    context,
    unifier,
    types,
    check(part, locals) {
      if (part === undefined) throw new Error('an expression is missing one of its parts');
      const type = checkPart(part, locals, walk);
      types.set(part.id, type);
      return type;
    },
  };
  const type = unifier.resolve(walk.check(expr, {}), 'dyn');
  return { type, typeOf: (id) => unifier.resolve(types.get(id) ?? dynType, 'dyn') };
}

function checkPart(expr: Expr, locals: Variables, walk: Walk): StaticType {
  const { exprKind } = expr;
  switch (exprKind.case) {
    case 'constExpr':
      return constantTypes[exprKind.value.constantKind.case ?? 'nullValue'];
    case 'identExpr':
      return checkIdentifier(expr, exprKind.value.name, locals, walk);
    case 'selectExpr':
      return checkSelect(expr, exprKind.value, locals, walk);
    case 'listExpr': {
      const element = exprKind.value.elements
        .map((part) => walk.check(part, locals))
        .reduce<StaticType | undefined>((before, next) => walk.unifier.join(before, next), undefined);
      return listOf(element ?? walk.unifier.fresh());
    }
    case 'structExpr':
      return exprKind.value.messageName === ''
        ? checkMap(exprKind.value, locals, walk)
        : checkMessage(expr, exprKind.value, locals, walk);
    case 'comprehensionExpr':
      return checkComprehension(exprKind.value, locals, walk);
    case 'callExpr':
      return checkCall(expr, exprKind.value, locals, walk);
    case undefined:
      throw new TypeProblem('unsupported expression', expr);
  }
}

const constantTypes = {
  boolValue: boolType,
  bytesValue: bytesType,
  doubleValue: doubleType,
  durationValue: { kind: 'duration' },
  int64Value: intType,
  nullValue: nullType,
  stringValue: stringType,
  timestampValue: { kind: 'timestamp' },
  uint64Value: uintType,
} as const satisfies Record<string, StaticType>;

function checkIdentifier(expr: Expr, name: string, locals: Variables, { context }: Walk): StaticType {
  const type = (Object.hasOwn(locals, name) ? locals[name] : undefined) ?? lookUpName(name, context);
  if (type === undefined) throw undeclaredName(name, expr, { ...context, locals });
  return type;
}

function checkSelect(expr: Expr, select: Expr_Select, locals: Variables, walk: Walk): StaticType {
  const { operand, field, testOnly } = select;
  const name = testOnly ? undefined : qualifiedName(expr);
  if (name !== undefined && !isLocal(name, locals)) {
    const named = lookUpName(name, walk.context);
    if (named !== undefined) return named;
  }
  const type = selectedType(expr, field, walk.unifier.resolve(walk.check(operand, locals)), walk);
  return testOnly ? boolType : type;
}

function selectedType(
  expr: Expr,
  field: string,
  operand: StaticType,
  { context, unifier }: Walk,
): StaticType {
  switch (operand.kind) {
    case 'any':
    case 'dyn':
      return dynType;
    case 'variable':
      unifier.assignable(dynType, operand);
      return dynType;
    case 'map':
      return operand.value;
    case 'message': {
      const type = context.registry.getMessage(operand.typeName);
      const found = type?.fields.find((candidate) => candidate.name === field);
      if (found === undefined) throw undefinedField(field, type, expr);
      return fieldStaticType(found);
    }
    default:
      throw new TypeProblem(`type '${describeType(operand)}' does not support field selection`, expr);
  }
}

function checkMap({ entries }: Expr_CreateStruct, locals: Variables, walk: Walk): StaticType {
  let key: StaticType | undefined;
  let value: StaticType | undefined;
  for (const entry of entries) {
    if (entry.keyKind.case === 'mapKey') {
      key = walk.unifier.join(key, walk.check(entry.keyKind.value, locals));
    }
    value = walk.unifier.join(value, walk.check(entry.value, locals));
  }
  return mapOf(key ?? walk.unifier.fresh(), value ?? walk.unifier.fresh());
}

function checkMessage(expr: Expr, struct: Expr_CreateStruct, locals: Variables, walk: Walk): StaticType {
  const { registry, container } = walk.context;
  const type = candidateNames(struct.messageName, container)
    .map((name) => registry.getMessage(name))
    .find((found) => found !== undefined);
  if (type === undefined) throw undeclared(struct.messageName, expr, walk.context);
  for (const entry of struct.entries) {
    const name = entry.keyKind.case === 'fieldKey' ? entry.keyKind.value : '';
    const field = type.fields.find((candidate) => candidate.name === name);
    if (field === undefined) throw undefinedField(name, type, entry);
    const wanted = fieldStaticType(field);
    const given = walk.check(entry.value, locals);
    if (walk.unifier.assignable(wanted, given)) continue;
    const expected = `expected type of field '${name}' is '${describeType(wanted)}'`;
    throw new TypeProblem(
      `${expected} but provided type is '${describeType(walk.unifier.resolve(given))}'`,
      entry,
    );
  }
  return messageStaticType(type.typeName);
}

function checkComprehension(fold: Expr_Comprehension, locals: Variables, walk: Walk): StaticType {
  const { unifier } = walk;
  const range = unifier.resolve(walk.check(fold.iterRange, locals));
  const accumulator = walk.check(fold.accuInit, locals);
  const outer = { ...locals, [fold.accuVar]: accumulator };
  const inner = { ...outer, [fold.iterVar]: iterated(range, fold, walk) };
  expectType(boolType, walk.check(fold.loopCondition, inner), fold.loopCondition, unifier);
  expectType(accumulator, walk.check(fold.loopStep, inner), fold.loopStep, unifier);
  return unifier.resolve(walk.check(fold.result, outer));
}

function iterated(range: StaticType, fold: Expr_Comprehension, { unifier }: Walk): StaticType {
  switch (range.kind) {
    case 'list':
      return range.element;
    case 'map':
      return range.key;
    case 'any':
    case 'dyn':
    case 'variable':
      unifier.assignable(dynType, range);
      return dynType;
    default: {
      const problem = `expression of type '${describeType(range)}' cannot be range of a comprehension`;
      throw new TypeProblem(`${problem} (must be list, map, or dynamic)`, fold.iterRange ?? { id: 0n });
    }
  }
}

function expectType(wanted: StaticType, given: StaticType, expr: Expr | undefined, unifier: Unifier): void {
  if (unifier.assignable(wanted, given)) return;
  const [expected, found] = [wanted, given].map((type) => describeType(unifier.resolve(type)));
  throw new TypeProblem(
    `expected type '${String(expected)}' but found '${String(found)}'`,
    expr ?? { id: 0n },
  );
}

/** @param at where the error is reported */
function undefinedField(
  name: string,
  type: DescMessage | undefined,
  at: ConstructorParameters<typeof TypeProblem>[1],
): TypeProblem {
  const known = type ? ` of ${type.typeName}: ${fieldNamesOf(type)}` : '';
  return new TypeProblem(`undefined field '${name}'${known}`, at);
}
