import type { DescMessage } from '@bufbuild/protobuf';
import { mapParts, selectOf } from './expression.ts';
import type { Expr, Rewrite } from './expression.ts';

/** The variable that holds the root message. No expression can name it. */
export const rootVariable = '@root';

/**
 * Resolves the names of root fields in an expression: rewrites `n * 2` to `@root.n * 2`, and `has(n)` to `has(@root.n)`. Comprehension
 * variables and the names in `reserved` shadow fields.
 */
export function nameFields(expr: Expr, root: DescMessage, reserved: ReadonlySet<string>): Expr {
  const fields = new Set(root.fields.map((field) => field.name).filter((name) => !reserved.has(name)));
  const rewrite: Rewrite = (part, locals) => {
    const named = fieldNamed(part, fields, locals);
    if (named !== undefined) return selectOf(part.id, rootVariable, named, false);
    const tested = testedField(part, fields, locals);
    if (tested !== undefined) return selectOf(part.id, rootVariable, tested, true);
    return mapParts(part, locals, rewrite);
  };
  return rewrite(expr, new Set());
}

function fieldNamed(
  expr: Expr,
  fields: ReadonlySet<string>,
  locals: ReadonlySet<string>,
): string | undefined {
  if (expr.exprKind.case !== 'identExpr') return undefined;
  const { name } = expr.exprKind.value;
  return fields.has(name) && !locals.has(name) ? name : undefined;
}

/** The parser keeps `has(n)` as a call, because `n` is not a field selection. */
function testedField(
  expr: Expr,
  fields: ReadonlySet<string>,
  locals: ReadonlySet<string>,
): string | undefined {
  if (expr.exprKind.case !== 'callExpr') return undefined;
  const { function: name, target, args } = expr.exprKind.value;
  const [argument] = args;
  if (name !== 'has' || target !== undefined || argument === undefined || args.length > 1) return undefined;
  return fieldNamed(argument, fields, locals);
}
