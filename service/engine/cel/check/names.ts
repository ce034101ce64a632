import type { Registry } from '@bufbuild/protobuf';
import type { Expr } from '@bufbuild/cel-spec/cel/expr/syntax_pb.js';
import { messageStaticType } from './field-type.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  nullType,
  stringType,
  timestampType,
  typeOf,
  uintType,
} from './static-type.ts';
import type { StaticType } from './static-type.ts';

/** Types of variables by name. */
export type Variables = Readonly<Record<string, StaticType>>;

/** The scope for name resolution outside of comprehensions. */
export interface NameSpace {
  /** Package prefix that names may omit (`cel.expr.conformance`). Usually empty. */
  container: string;
  registry: Registry;
  variables: Variables;
}

const builtInTypes: ReadonlyMap<string, StaticType> = new Map<string, StaticType>([
  ['bool', boolType],
  ['bytes', bytesType],
  ['double', doubleType],
  ['int', intType],
  ['list', listOf(dynType)],
  ['map', mapOf(dynType, dynType)],
  ['null_type', nullType],
  ['string', stringType],
  ['type', typeOf(dynType)],
  ['uint', uintType],
  ['google.protobuf.Duration', durationType],
  ['google.protobuf.Timestamp', timestampType],
]);

/**
 * Resolves the type of a variable, type name or enum constant. As CEL specifies, the longest container comes first
 * (https://github.com/google/cel-spec/blob/master/doc/langdef.md#name-resolution).
 */
export function lookUpName(name: string, space: NameSpace): StaticType | undefined {
  for (const candidate of candidateNames(name, space.container)) {
    const found = lookUpExactly(candidate, space);
    if (found !== undefined) return found;
  }
  return undefined;
}

function lookUpExactly(name: string, { registry, variables }: NameSpace): StaticType | undefined {
  if (Object.hasOwn(variables, name)) return variables[name];
  const builtIn = builtInTypes.get(name);
  if (builtIn !== undefined) return typeOf(builtIn);
  if (registry.getMessage(name) !== undefined) return typeOf(messageStaticType(name));
  const dot = name.lastIndexOf('.');
  const values = dot < 0 ? undefined : registry.getEnum(name.slice(0, dot))?.values;
  return values?.some((value) => value.name === name.slice(dot + 1)) === true ? intType : undefined;
}

/** For `a.b` in container `x.y`: `x.y.a.b`, `x.a.b`, `a.b`. A leading dot skips the container. */
export function candidateNames(name: string, container: string): string[] {
  if (name.startsWith('.')) return [name.slice(1)];
  const parts = container === '' ? [] : container.split('.');
  return Array.from({ length: parts.length + 1 }, (_, index) =>
    [...parts.slice(0, parts.length - index), name].join('.'),
  );
}

/** Returns `a.b.c` if the expression is a qualified name. */
export function qualifiedName(expr: Expr | undefined): string | undefined {
  if (expr?.exprKind.case === 'identExpr') return expr.exprKind.value.name;
  if (expr?.exprKind.case !== 'selectExpr' || expr.exprKind.value.testOnly) return undefined;
  const { operand, field } = expr.exprKind.value;
  const parent = qualifiedName(operand);
  return parent === undefined ? undefined : `${parent}.${field}`;
}
