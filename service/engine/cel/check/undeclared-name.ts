import type { Expr } from '@bufbuild/cel-spec/cel/expr/syntax_pb.js';
import { rootVariable } from '../name-fields.ts';
import type { NameSpace, Variables } from './names.ts';
import { type TypeProblem, undeclared } from './walk.ts';

/** Maximum number of names that the error lists. */
const maxListed = 12;

/** Returns the problem of an undeclared name, with the names that an author can write there. */
export function undeclaredName(
  name: string,
  expr: Expr,
  space: NameSpace & { locals: Variables },
): TypeProblem {
  const problem = undeclared(name, expr, space);
  const names = namesIn(space);
  if (names.length === 0) return problem;
  const more = names.length > maxListed ? ', ...' : '';
  problem.message += `: use one of ${names.slice(0, maxListed).join(', ')}${more}`;
  return problem;
}

/**
 * Returns the names in scope: comprehension variables first, then the fields of the root message, then the rest,
 * which are the piped value and the edges.
 */
function namesIn({ locals, variables, registry }: NameSpace & { locals: Variables }): string[] {
  const { [rootVariable]: root, ...declared } = variables;
  const fields = root?.kind === 'message' ? (registry.getMessage(root.typeName)?.fields ?? []) : [];
  const names = [...Object.keys(locals), ...fields.map((field) => field.name), ...Object.keys(declared)];
  // Macros declare variables that no expression can name.
  return [...new Set(names)].filter((each) => /^[A-Za-z_]\w*$/.test(each) && !each.startsWith('__'));
}
