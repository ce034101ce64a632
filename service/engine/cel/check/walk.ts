import type { Expr } from '@bufbuild/cel-spec/cel/expr/syntax_pb.js';
import type { NameSpace, Variables } from './names.ts';
import type { OverloadTable } from './overloads.ts';
import type { StaticType } from './static-type.ts';
import type { Unifier } from './unifier.ts';

/** Everything that the type of an expression depends on. */
export interface CheckContext extends NameSpace {
  overloads: OverloadTable;
}

/** Why an expression is ill-typed, and where: the id of the sub-expression. Caught where a check begins, never further. */
export class TypeProblem extends Error {
  readonly expr: bigint;

  constructor(message: string, { id }: Pick<Expr, 'id'>) {
    super(message);
    this.expr = id;
  }
}

/** One walk over one expression. */
export interface Walk {
  context: CheckContext;
  unifier: Unifier;
  /** Types of sub-expressions by their id, with variables still in them. */
  types: Map<bigint, StaticType>;
  /** Type of an expression, with the variables of the comprehensions around it. */
  check(expr: Expr | undefined, locals: Variables): StaticType;
}

/** Whether a name begins with a variable of a comprehension, which hides what is declared outside. */
export function isLocal(name: string, locals: Variables): boolean {
  return Object.hasOwn(locals, name.split('.', 1)[0] ?? '');
}

export function undeclared(name: string, expr: Expr, { container }: NameSpace): TypeProblem {
  const where = container === '' ? '' : ` (in container '${container}')`;
  return new TypeProblem(`undeclared reference to '${name}'${where}`, expr);
}
