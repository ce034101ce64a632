import type { DescMessage, Registry } from '@bufbuild/protobuf';
import { celCompilationFailed, celEvaluationFailed } from '../../errors/edge-errors.ts';
import { createBoundedCache } from '../bounded-cache.ts';
import { expressionLimits } from '../expression-limits.ts';
import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
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

/** What an expression may name. */
export interface CelScope {
  /** Types that it may make and look into. */
  registry: Registry;
  /** Variables and their types. */
  variables?: Variables;
  /** A message whose fields may be named directly, where no variable has their name. */
  root?: DescMessage;
  /** Prefix that names of types may leave out. */
  container?: string;
}

/** Compiles CEL. Remembers parsed expressions and what belongs to a registry; one serves a process. */
export interface CelCompiler {
  /** A program, or `CEL parse error: <detail>`, or `CEL compilation failed: <detail>`. */
  compile(source: string, scope: CelScope): Outcome<CelProgram>;
  /** As `compile`, of an expression that must give a bool. */
  compileCondition(source: string, scope: CelScope): Outcome<CelCondition>;
}

/** A condition; true or false, or why it cannot be told. */
export interface CelCondition {
  holds(inputs: CelInputs): Outcome<boolean>;
}

export function createCelCompiler(): CelCompiler {
  const parsed = createBoundedCache<string, Outcome<ParsedExpression>>(expressionLimits.celCacheEntries);
  const environments = new WeakMap<Registry, Map<string, CelEnvironment>>();

  function environmentOf(registry: Registry, container: string): CelEnvironment {
    const known = environments.get(registry) ?? new Map<string, CelEnvironment>();
    const environment = known.get(container) ?? createCelEnvironment(registry, container);
    environments.set(registry, known.set(container, environment));
    return environment;
  }

  function compile(source: string, scope: CelScope): Outcome<CelProgram> {
    const read = parsed.get(source, () => parseExpression(source));
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
        return failed(
          celCompilationFailed(`the condition is of type ${describeType(type)}, it must be bool`),
        );
      }
      return done({
        holds(inputs) {
          const result = evaluate(inputs);
          if (!result.ok || typeof result.value === 'boolean') return result as Outcome<boolean>;
          return failed(celEvaluationFailed('the condition gave no bool'));
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

/** `line:column: `, both from 1. */
function position(source: string, offset: number | undefined): string {
  if (offset === undefined) return '';
  // Operators are recorded with the white space before them.
  const at = offset + (/^\s*/.exec(source.slice(offset))?.[0].length ?? 0);
  const lines = source.slice(0, at).split('\n');
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}: `;
}
