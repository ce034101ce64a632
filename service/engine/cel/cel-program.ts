import { isCelError, plan } from '@bufbuild/cel';
import type { CelInput, CelValue } from '@bufbuild/cel';
import type { ReflectMessage } from '@bufbuild/protobuf/reflect';
import { celCompilationFailed, celEvaluationFailed } from '../../errors/edge-errors.ts';
import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import type { CelEnvironment } from './cel-environment.ts';
import type { CheckedTypes } from './check/check-expression.ts';
import type { StaticType } from './check/static-type.ts';
import { boundCost } from './cost/bound-cost.ts';
import { CostExceeded } from './cost/meter.ts';
import { valueCost } from './cost/value-cost.ts';
import { describeFailure } from './describe-failure.ts';
import { partsOf } from './expression.ts';
import type { Expr } from './expression.ts';
import { rootVariable } from './name-fields.ts';

/** Values for one evaluation, of the types that were declared. */
export interface CelInputs {
  variables?: Readonly<Record<string, CelInput>>;
  root?: ReflectMessage;
}

/** A checked expression, ready to be evaluated any number of times. */
export interface CelProgram {
  /** Names that it begins a path with; variables that it reads are among them, and `@root` for fields of the root. */
  reads: ReadonlySet<string>;
  /** What it gives, as far as can be told before it runs. */
  type: StaticType;
  /** The value, or `CEL evaluation failed: <detail>`; within bounds of time and size whatever the values are. */
  evaluate: (inputs: CelInputs) => Outcome<CelValue>;
}

/** Plans an expression within its bounds of cost; `checked` says what it unfolds. */
export function createProgram(
  expr: Expr,
  checked: CheckedTypes,
  { env, meter }: CelEnvironment,
): Outcome<CelProgram> {
  let run: ReturnType<typeof plan>;
  try {
    run = plan(env, boundCost(expr, checked.typeOf));
  } catch (error) {
    return failed(celCompilationFailed(error instanceof Error ? error.message : String(error)));
  }
  return done({
    type: checked.type,
    reads: identifiersOf(expr),
    evaluate({ variables = {}, root }) {
      meter.reset();
      // Without a prototype: no variable is called `constructor` unless it was given.
      const values = Object.assign(Object.create(null) as Record<string, CelInput>, variables);
      if (root !== undefined) values[rootVariable] = root;
      const result = run(values);
      if (meter.left < 0) return failed(celEvaluationFailed(new CostExceeded().message));
      if (isCelError(result)) return failed(celEvaluationFailed(describeFailure(result.message)));
      // Lists of lists may share what they hold, and be endless to whoever unfolds them.
      if (valueCost(result, meter.left) <= meter.left) return done(result);
      return failed(celEvaluationFailed(new CostExceeded().message));
    },
  });
}

/** Every name at the beginning of a path, also those of comprehension variables and of types. */
function identifiersOf(expr: Expr): Set<string> {
  const names = new Set<string>();
  for (let layer: Expr[] = [expr]; layer.length > 0; layer = layer.flatMap(partsOf)) {
    for (const { exprKind } of layer) if (exprKind.case === 'identExpr') names.add(exprKind.value.name);
  }
  return names;
}
