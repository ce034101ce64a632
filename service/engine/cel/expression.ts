import type { Expr, Expr_Call, ParsedExpr } from '@bufbuild/cel-spec/cel/expr/syntax_pb.js';

export type { Expr };

/** A parsed expression with its source positions. */
export type ParsedExpression = ParsedExpr & { expr: Expr };

/**
 * Returns a call without a target, of a function or of an operator by its CEL name, such as `_&&_`.
 *
 * @param id of the expression that the call replaces: types and positions are stored by it
 */
export function callOf(id: bigint, name: string, args: Expr[]): Expr {
  const value: Expr_Call = { $typeName: 'cel.expr.Expr.Call', function: name, args };
  return { $typeName: 'cel.expr.Expr', id, exprKind: { case: 'callExpr', value } };
}

/** Returns a literal of the CEL type int. The value must fit 64 bits, signed. */
export function integerOf(id: bigint, value: bigint): Expr {
  const constant = { $typeName: 'cel.expr.Constant', constantKind: { case: 'int64Value', value } } as const;
  return { $typeName: 'cel.expr.Expr', id, exprKind: { case: 'constExpr', value: constant } };
}

/**
 * Selects a field of a variable, or tests its presence. Types are stored by expression id, so the variable gets an id that no parsed
 * expression has.
 */
export function selectOf(id: bigint, variable: string, field: string, testOnly: boolean): Expr {
  const operand: Expr = {
    $typeName: 'cel.expr.Expr',
    id: -id,
    exprKind: { case: 'identExpr', value: { $typeName: 'cel.expr.Expr.Ident', name: variable } },
  };
  const value = { $typeName: 'cel.expr.Expr.Select', operand, field, testOnly } as const;
  return { $typeName: 'cel.expr.Expr', id, exprKind: { case: 'selectExpr', value } };
}

/** Rewrites a part of an expression. `locals` are the variables of the enclosing comprehensions. */
export type Rewrite = (expr: Expr, locals: ReadonlySet<string>) => Expr;

/** Copies an expression with rewritten direct parts. Parsed trees are cached and shared, so they are never modified. */
export function mapParts(expr: Expr, locals: ReadonlySet<string>, rewrite: Rewrite): Expr {
  const { exprKind } = expr;
  const part = <T extends Expr | undefined>(one: T, names = locals): T =>
    one === undefined ? one : (rewrite(one, names) as T);
  switch (exprKind.case) {
    case 'selectExpr':
      return withKind(expr, {
        ...exprKind,
        value: { ...exprKind.value, ...optional('operand', part(exprKind.value.operand)) },
      });
    case 'callExpr': {
      const { target, args } = exprKind.value;
      const value = {
        ...exprKind.value,
        ...optional('target', part(target)),
        args: args.map((one) => part(one)),
      };
      return withKind(expr, { ...exprKind, value });
    }
    case 'listExpr':
      return withKind(expr, {
        ...exprKind,
        value: { ...exprKind.value, elements: exprKind.value.elements.map((one) => part(one)) },
      });
    case 'structExpr': {
      const entries = exprKind.value.entries.map((entry) => ({
        ...entry,
        keyKind:
          entry.keyKind.case === 'mapKey'
            ? { ...entry.keyKind, value: part(entry.keyKind.value) }
            : entry.keyKind,
        ...optional('value', part(entry.value)),
      }));
      return withKind(expr, { ...exprKind, value: { ...exprKind.value, entries } });
    }
    case 'comprehensionExpr': {
      const fold = exprKind.value;
      const outer = new Set([...locals, fold.accuVar]);
      const inner = new Set([...outer, fold.iterVar]);
      const value = {
        ...fold,
        ...optional('iterRange', part(fold.iterRange)),
        ...optional('accuInit', part(fold.accuInit)),
        ...optional('loopCondition', part(fold.loopCondition, inner)),
        ...optional('loopStep', part(fold.loopStep, inner)),
        ...optional('result', part(fold.result, outer)),
      };
      return withKind(expr, { ...exprKind, value });
    }
    default:
      return expr;
  }
}

function withKind(expr: Expr, exprKind: Expr['exprKind']): Expr {
  return { ...expr, exprKind };
}

function optional<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return (value === undefined ? {} : { [key]: value }) as Partial<Record<K, V>>;
}

/** Returns the direct parts of an expression. */
export function partsOf({ exprKind }: Expr): Expr[] {
  switch (exprKind.case) {
    case 'selectExpr':
      return present([exprKind.value.operand]);
    case 'callExpr':
      return present([exprKind.value.target, ...exprKind.value.args]);
    case 'listExpr':
      return exprKind.value.elements;
    case 'structExpr':
      return present(
        exprKind.value.entries.flatMap(({ keyKind, value }) =>
          keyKind.case === 'mapKey' ? [keyKind.value, value] : [value],
        ),
      );
    case 'comprehensionExpr': {
      const { iterRange, accuInit, loopCondition, loopStep, result } = exprKind.value;
      return present([iterRange, accuInit, loopCondition, loopStep, result]);
    }
    default:
      return [];
  }
}

function present(parts: readonly (Expr | undefined)[]): Expr[] {
  return parts.filter((part) => part !== undefined);
}
