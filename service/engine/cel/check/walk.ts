import type { Expr } from '@bufbuild/cel-spec/cel/expr/syntax_pb.js';
import type { NameSpace, Variables } from './names.ts';
import type { OverloadTable } from './overloads.ts';
import type { StaticType } from './static-type.ts';
import type { Unifier } from './unifier.ts';

/** The context of a type check. */
export interface CheckContext extends NameSpace {
  overloads: OverloadTable;
}

/** A type error, with the id of the ill-typed sub-expression. Caught where the check starts. */
export class TypeProblem extends Error {
  readonly expr: bigint;

  constructor(message: string, { id }: Pick<Expr, 'id'>) {
    super(message);
    this.expr = id;
  }
}

/** The traversal of one expression. */
export interface Walk {
  context: CheckContext;
  unifier: Unifier;
  /** Types of sub-expressions by id, with unresolved type variables. */
  types: Map<bigint, StaticType>;
  /** Returns the type of an expression. `locals` are the variables of the enclosing comprehensions. */
  check(expr: Expr | undefined, locals: Variables): StaticType;
}

/** Reports whether a name begins with a comprehension variable, which shadows outer declarations. */
export function isLocal(name: string, locals: Variables): boolean {
  return Object.hasOwn(locals, name.split('.', 1)[0] ?? '');
}

/** Returns the error that cel-go reports for an undeclared name. */
export function undeclared(name: string, expr: Expr, { container }: NameSpace): TypeProblem {
  const where = container === '' ? '' : ` (in container '${container}')`;
  return new TypeProblem(`undeclared reference to '${name}'${where}`, expr);
}
