import { isCelError, plan } from '@bufbuild/cel';
import type { CelInput, CelValue } from '@bufbuild/cel';
import type { ReflectMessage } from '@bufbuild/protobuf/reflect';
import { celCompilationFailed, celEvaluationFailed } from '../../errors/edge-errors.ts';
import { thrownMessage } from '../../errors/thrown-message.ts';
import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import type { CelEnvironment } from './cel-environment.ts';
import type { CheckedTypes } from './check/check-expression.ts';
import type { StaticType } from './check/static-type.ts';
import { boundCost } from './cost/bound-cost.ts';
import { valueCost } from '../work/value-cost.ts';
import { WorkExceeded } from '../work/work-meter.ts';
import type { WorkMeter } from '../work/work-meter.ts';
import { describeFailure } from './describe-failure.ts';
import { partsOf } from './expression.ts';
import type { Expr } from './expression.ts';
import { rootVariable } from './name-fields.ts';

/** Values for one evaluation. They must have the declared types. */
export interface CelInputs {
  variables?: Readonly<Record<string, CelInput>>;
  root?: ReflectMessage;
}

/** A type-checked expression. Reusable. */
export interface CelProgram {
  /**
   * The first identifier of each path. Includes every variable that the expression reads, and `@root` if it reads
   * fields of the root.
   */
  reads: ReadonlySet<string>;
  /** Static type of the result. */
  type: StaticType;
  /**
   * Returns the value, or `CEL evaluation failed: <detail>`. The meter bounds time and result size for all inputs.
   *
   * @throws WorkExceeded if it costs more than the remaining budget
   */
  evaluate: (inputs: CelInputs, meter: WorkMeter) => Outcome<CelValue>;
}

/** Plans an expression and bounds its cost, using the types from the check. */
export function createProgram(
  expr: Expr,
  checked: CheckedTypes,
  { env, work }: CelEnvironment,
): Outcome<CelProgram> {
  let run: ReturnType<typeof plan>;
  try {
    run = plan(env, boundCost(expr, checked.typeOf));
  } catch (error) {
    return failed(celCompilationFailed(thrownMessage(error)));
  }
  return done({
    type: checked.type,
    reads: identifiersOf(expr),
    evaluate({ variables = {}, root }, meter) {
      work.meter = meter;
      // Without a prototype, inherited names such as `constructor` are not variables.
      const values = Object.assign(Object.create(null) as Record<string, CelInput>, variables);
      if (root !== undefined) values[rootVariable] = root;
      const result = withoutStackTraces(() => run(values));
      // The evaluator catches what functions throw, and `||` may even drop it.
      if (meter.left < 0) throw new WorkExceeded();
      if (isCelError(result)) return failed(celEvaluationFailed(describeFailure(result.message)));
      // Nested lists may share elements, so a small result can expand to an enormous one.
      meter.spend(valueCost(result, meter.left));
      return done(result);
    },
  });
}

/**
 * CEL errors are values that `||` may drop, so a loop can produce many of them. Their stack traces, which are never read, take 5
 * to 10 microseconds each, ten times the rest of an iteration.
 */
function withoutStackTraces<T>(work: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The first name of every path, including comprehension variables and types. */
function identifiersOf(expr: Expr): Set<string> {
  const names = new Set<string>();
  for (let layer: Expr[] = [expr]; layer.length > 0; layer = layer.flatMap(partsOf)) {
    for (const { exprKind } of layer) if (exprKind.case === 'identExpr') names.add(exprKind.value.name);
  }
  return names;
}
