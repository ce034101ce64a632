import type { DescMessage } from '@bufbuild/protobuf';
import { mapParts, selectOf } from './expression.ts';
import type { Expr, Rewrite } from './expression.ts';

/** Variable behind which the message stands whose fields are named directly. No expression can spell it. */
export const rootVariable = '@root';

/**
 * Lets an expression name the fields of one message as if they were variables: `n * 2` for `@root.n * 2`, and `has(n)` for
 * `has(@root.n)`. Variables of comprehensions and those in `reserved` hide fields of their name.
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

/** The parser leaves `has(n)` a call, since `n` alone is no selection. */
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
