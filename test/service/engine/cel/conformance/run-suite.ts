import { isDeepStrictEqual } from 'node:util';
import { getTestRegistry } from '@bufbuild/cel-spec/testdata/registry.js';
import type { IncrementalTest, IncrementalTestSuite } from '@bufbuild/cel-spec/testdata/tests.js';
import type { Registry } from '@bufbuild/protobuf';
import { createCelEnvironment } from '../../../../../service/engine/cel/cel-environment.ts';
import type { CelEnvironment } from '../../../../../service/engine/cel/cel-environment.ts';
import { createProgram } from '../../../../../service/engine/cel/cel-program.ts';
import { checkTypes } from '../../../../../service/engine/cel/check/check-expression.ts';
import type { CheckedTypes } from '../../../../../service/engine/cel/check/check-expression.ts';
import type { Variables } from '../../../../../service/engine/cel/check/names.ts';
import { describeType, dynType } from '../../../../../service/engine/cel/check/static-type.ts';
import { WorkMeter } from '../../../../../service/engine/work/work-meter.ts';
import { TypeProblem } from '../../../../../service/engine/cel/check/walk.ts';
import type { ParsedExpression } from '../../../../../service/engine/cel/expression.ts';
import { parseExpression } from '../../../../../service/engine/cel/parse-expression.ts';
import { inputOf, plain, typeOfDeclaration } from './conformance-values.ts';

/** The result of one test of the suite. A side that the test does not cover is undefined. */
export interface TestResult {
  section: string;
  name: string;
  expr: string;
  /** Whether the value or error is the expected one. */
  evaluated?: boolean;
  /** Whether the static type or compile error is the one of cel-go. */
  checked?: boolean;
  /** Expected and actual results, for debugging. */
  notes: string[];
}

const registry: Registry = getTestRegistry();
const environments = new Map<string, CelEnvironment>();

function environmentOf(container: string): CelEnvironment {
  const environment = environments.get(container) ?? createCelEnvironment(registry, container);
  environments.set(container, environment);
  return environment;
}

/** Runs every test of a suite with the parser, checker, functions and cost limits of the service. */
export function runSuite(suite: IncrementalTestSuite, section = ''): TestResult[] {
  return [
    ...suite.tests.map((test) => runTest(test, section || suite.name)),
    ...suite.suites.flatMap((part) => runSuite(part, section || part.name)),
  ];
}

function runTest(test: IncrementalTest, section: string): TestResult {
  const { original, name } = test;
  const result: TestResult = { section, name, expr: original.expr, notes: [] };
  const parsed = parseExpression(original.expr);
  const environment = environmentOf(original.container);
  const checked = parsed.ok ? check(parsed.value, test, environment) : undefined;
  const type = typeof checked === 'object' ? describeType(checked.type) : undefined;
  if (isJudged(test)) {
    result.checked = test.type === undefined ? type === undefined : type === test.type;
    if (!result.checked)
      result.notes.push(
        `type ${type ?? (typeof checked === 'string' ? checked : 'none')}, wanted ${test.type ?? test.error ?? ''}`,
      );
  }
  const wanted = original.resultMatcher.case;
  if (wanted !== undefined && !original.checkOnly) {
    const types = typeof checked === 'object' ? checked : untyped;
    const got = parsed.ok ? evaluate(parsed.value, types, test, environment) : parsed.detail;
    result.evaluated = isAsWanted(got, test);
    if (!result.evaluated) result.notes.push(`gave ${JSON.stringify(got)}`);
  }
  return result;
}

const untyped: CheckedTypes = { type: dynType, typeOf: () => dynType };

/** Reports whether the test states a result of the checker: a type, or an error that is not a syntax error. */
function isJudged({ type, error, original }: IncrementalTest): boolean {
  return type !== undefined || (error !== undefined && !original.disableCheck);
}

function check(
  parsed: ParsedExpression,
  { original }: IncrementalTest,
  { env, overloads }: CelEnvironment,
): CheckedTypes | string {
  const variables: Record<string, Variables[string]> = {};
  for (const { name, declKind } of original.typeEnv) {
    const declared =
      declKind.case === 'ident' && declKind.value.type && typeOfDeclaration(declKind.value.type);
    if (declared) variables[name] = declared;
  }
  try {
    return checkTypes(parsed.expr, {
      container: env.namespace,
      registry: env.registry,
      variables,
      overloads,
    });
  } catch (error) {
    if (error instanceof TypeProblem) return error.message;
    throw error;
  }
}

/** The value in comparable form, or the error. */
function evaluate(
  { expr }: ParsedExpression,
  types: CheckedTypes,
  { original }: IncrementalTest,
  environment: CelEnvironment,
): { value: unknown } | string {
  const program = createProgram(expr, types, environment);
  if (!program.ok) return program.detail;
  const variables = Object.fromEntries(
    Object.entries(original.bindings).flatMap(([name, { kind }]) =>
      kind.case === 'value' ? [[name, inputOf(kind.value, registry)]] : [],
    ),
  );
  const result = program.value.evaluate({ variables }, new WorkMeter());
  return result.ok ? { value: plain(result.value, registry) } : result.detail;
}

function isAsWanted(got: { value: unknown } | string, { original }: IncrementalTest): boolean {
  const { resultMatcher } = original;
  switch (resultMatcher.case) {
    case 'evalError':
    case 'anyEvalErrors':
      return typeof got === 'string';
    case 'value':
    case 'typedResult': {
      const wanted = resultMatcher.case === 'value' ? resultMatcher.value : resultMatcher.value.result!;
      if (typeof got === 'string') return false;
      if (wanted.kind.case === 'typeValue') return isDeepStrictEqual(got.value, { type: wanted.kind.value });
      return isDeepStrictEqual(got.value, plain(inputOf(wanted, registry), registry));
    }
    default:
      return false;
  }
}
