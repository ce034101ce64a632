import type { DescMessage, Registry } from '@bufbuild/protobuf';
import { celCompilationFailed, celEvaluationFailed } from '../../errors/edge-errors.ts';
import { BoundedCache } from '../../bounded-cache.ts';
import { expressionLimits } from '../expression-limits.ts';
import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import type { WorkMeter } from '../work/work-meter.ts';
import { createCelEnvironment } from './cel-environment.ts';
import type { CelEnvironment } from './cel-environment.ts';
import { createProgram } from './cel-program.ts';
import type { CelInputs, CelProgram } from './cel-program.ts';
import { checkTypes } from './check/check-expression.ts';
import type { CheckedTypes } from './check/check-expression.ts';
import { messageStaticType } from './check/field-type.ts';
import type { Variables } from './check/names.ts';
import { describeType } from './check/static-type.ts';
import { TypeProblem } from './check/walk.ts';
import type { Expr, ParsedExpression } from './expression.ts';
import { nameFields, rootVariable } from './name-fields.ts';
import { parseExpression } from './parse-expression.ts';

/** The names and types that an expression can use. */
export interface CelScope {
  /** Message types that it can construct and read. */
  registry: Registry;
  variables?: Variables;
  /** A message whose fields are variables. Entries of `variables` shadow them. */
  root?: DescMessage;
  /** Package prefix that type names may omit. */
  container?: string;
}

/** Compiles CEL. Caches parsed expressions, and an environment per registry. A process needs one compiler. */
export interface CelCompiler {
  /** Returns a program, or `CEL parse error: <detail>` or `CEL compilation failed: <detail>`. */
  compile(source: string, scope: CelScope): Outcome<CelProgram>;
  /** Like `compile`, for an expression of type bool. */
  compileCondition(source: string, scope: CelScope): Outcome<CelCondition>;
}

/** A compiled condition. Evaluates to a boolean or fails with an evaluation error. */
interface CelCondition {
  /** @throws WorkExceeded if it costs more than the remaining budget */
  holds(inputs: CelInputs, meter: WorkMeter): Outcome<boolean>;
}

/** Creates a compiler with empty caches. An environment is kept for as long as its registry is in use. */
export function createCelCompiler(): CelCompiler {
  const parsed = new BoundedCache<string, Outcome<ParsedExpression>>(expressionLimits.celCacheEntries);
  const environments = new WeakMap<Registry, Map<string, CelEnvironment>>();

  function environmentOf(registry: Registry, container: string): CelEnvironment {
    const known = environments.get(registry) ?? new Map<string, CelEnvironment>();
    const environment = known.get(container) ?? createCelEnvironment(registry, container);
    environments.set(registry, known.set(container, environment));
    return environment;
  }

  function compile(source: string, scope: CelScope): Outcome<CelProgram> {
    const read = parsed.getOrMake(source, () => parseExpression(source));
    if (!read.ok) return read;
    const environment = environmentOf(scope.registry, scope.container ?? '');
    const variables = declared(scope);
    const reserved = new Set(Object.keys(variables));
    const expr =
      scope.root === undefined ? read.value.expr : nameFields(read.value.expr, scope.root, reserved);
    const checked = check(expr, { source, parsed: read.value, environment, variables });
    return checked.ok ? createProgram(expr, checked.value, environment) : checked;
  }

  return {
    compile,
    compileCondition(source, scope) {
      const compiled = compile(source, scope);
      if (!compiled.ok) return compiled;
      const { type, evaluate } = compiled.value;
      if (
        type.kind !== 'bool' &&
        type.kind !== 'dyn' &&
        !(type.kind === 'wrapper' && type.of.kind === 'bool')
      ) {
        return failed(celCompilationFailed(`the condition has type ${describeType(type)}, expected bool`));
      }
      return done({
        holds(inputs, meter) {
          const result = evaluate(inputs, meter);
          if (!result.ok || typeof result.value === 'boolean') return result as Outcome<boolean>;
          return failed(celEvaluationFailed('the condition did not evaluate to a bool'));
        },
      });
    },
  };
}

function declared({ variables = {}, root }: CelScope): Variables {
  return root === undefined ? variables : { ...variables, [rootVariable]: messageStaticType(root.typeName) };
}

interface CheckInput {
  source: string;
  parsed: ParsedExpression;
  environment: CelEnvironment;
  variables: Variables;
}

function check(expr: Expr, { source, parsed, environment, variables }: CheckInput): Outcome<CheckedTypes> {
  const { env, overloads } = environment;
  try {
    return done(checkTypes(expr, { container: env.namespace, registry: env.registry, variables, overloads }));
  } catch (error) {
    if (!(error instanceof TypeProblem)) throw error;
    const offset = parsed.sourceInfo?.positions[String(error.expr)];
    return failed(celCompilationFailed(`${position(source, offset)}${error.message}`));
  }
}

/** `line:column: `, counted from 1. */
function position(source: string, offset: number | undefined): string {
  if (offset === undefined) return '';
  // The recorded position of an operator includes the white space before it.
  const at = offset + (/^\s*/.exec(source.slice(offset))?.[0].length ?? 0);
  const lines = source.slice(0, at).split('\n');
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}: `;
}
