import { isDeepStrictEqual } from 'node:util';
import type { ExpectedFailure, ExpectedStep } from './conformance-case.ts';
import type { DriverError, DriverResponse, DriverResult } from './driver-protocol.ts';

/** The expectations that no line of the log matches, one per line. */
export function checkLog(patterns: readonly string[], { log }: DriverResponse): string[] {
  return patterns
    .filter((pattern) => !log.some((line) => new RegExp(pattern, 'i').test(line)))
    .map((pattern) => `no line of the log matches ${pattern}: ${JSON.stringify(log)}`);
}

/** Differences between a driver's results and the expectations of the steps, one per line. */
export function checkResults(steps: readonly ExpectedStep[], { results }: DriverResponse): string[] {
  const failing = steps.findIndex(({ fails, goesOn }) => fails !== undefined && goesOn !== true);
  const expected = failing === -1 ? steps.length : failing + 1;
  const problems = steps
    .slice(0, Math.min(expected, results.length))
    .flatMap((step, index) =>
      checkResult(step, results[index]!).map((problem) => `step ${index}: ${problem}`),
    );
  if (results.length === expected || problems.length > 0) return problems;
  return [`${results.length} results came of ${expected} steps: ${JSON.stringify(results)}`];
}

function checkResult(step: ExpectedStep, result: DriverResult): string[] {
  const { error } = result;
  if (step.fails === undefined)
    return error === undefined ? checkValue(step, result) : [`it failed: ${JSON.stringify(error)}`];
  if (error === undefined)
    return [`it gave ${String(result.valueText)} instead of failing as ${step.fails.class}`];
  return [...checkFailure(step.fails, error), ...checkGiven(step, result)];
}

function checkGiven({ gives, givesText, givesHolds }: ExpectedStep, { valueText }: DriverResult): string[] {
  const expected = givesText === undefined ? gives : (JSON.parse(givesText) as unknown);
  const problems = expected === undefined ? [] : differs('the value', expected, parsed(valueText ?? ''));
  return givesHolds === undefined
    ? problems
    : [...problems, ...lacks('the value', givesHolds, parsed(valueText ?? ''))];
}

function checkValue(step: ExpectedStep, result: DriverResult): string[] {
  const { answer, executionId } = result;
  const problems = checkGiven(step, result);
  if (step.givesExecutionId !== undefined)
    problems.push(...differs('the execution', step.givesExecutionId, executionId));
  if (step.givesLimits !== undefined)
    problems.push(...differs('the limits', step.givesLimits, result.limits));
  if (step.answer === undefined) return problems;
  if (answer === undefined) return [...problems, 'it has no answer in addition to the value'];
  const { status, headers = {}, body } = step.answer;
  if (status !== undefined) problems.push(...differs('the status', status, answer.status));
  for (const [name, value] of Object.entries(headers))
    problems.push(...differs(`the header ${name}`, value, answer.headers[name]));
  if (body !== undefined) problems.push(...differs('the body', body, parsed(answer.body)));
  return problems;
}

function checkFailure(expected: ExpectedFailure, error: DriverError): string[] {
  const problems = differs('the class of the error', expected.class, error.class);
  if (expected.status !== undefined) problems.push(...differs('its status', expected.status, error.status));
  if (expected.body !== undefined) problems.push(...differs('its body', expected.body, error.body));
  if (expected.executionId !== undefined)
    problems.push(...differs('its execution', expected.executionId, error.executionId));
  // Operators find a run by its id, and a log shows only the message.
  if (error.executionId != null && !error.message.includes(error.executionId))
    problems.push('its message does not name its execution');
  if (expected.requestId !== undefined)
    problems.push(...differs('its request', expected.requestId, error.requestId));
  if (expected.idempotencyKey !== undefined)
    problems.push(...differs('its idempotency key', expected.idempotencyKey, error.idempotencyKey));
  if (expected.pauseId !== undefined) problems.push(...differs('its pause', expected.pauseId, error.pauseId));
  if (expected.code !== undefined) problems.push(...differs('its code', expected.code, error.code));
  if (expected.message !== undefined && !new RegExp(expected.message, 'i').test(error.message))
    problems.push(`its message does not match ${expected.message}`);
  const { retryAfterMs, retryAfterToleranceMs = 0 } = expected;
  if (retryAfterMs !== undefined) {
    const low = retryAfterMs - retryAfterToleranceMs;
    const actual = error.retryAfterMs;
    if (actual == null || actual < low || actual > retryAfterMs)
      problems.push(`its retry-after is ${String(actual)} ms, not ${low} to ${retryAfterMs}`);
  }
  return problems.length === 0 ? [] : [...problems, `the error is ${JSON.stringify(error)}`];
}

/** One line if two JSON values differ. */
export function differs(what: string, expected: unknown, actual: unknown): string[] {
  if (isDeepStrictEqual(actual, expected)) return [];
  return [`${what} is ${shown(actual)}, not ${shown(expected)}`];
}

/** One line for each difference from the expected value. Objects may have more fields; lists must have the same length. */
export function lacks(what: string, holds: unknown, actual: unknown): string[] {
  if (typeof holds !== 'object' || holds === null) return differs(what, holds, actual);
  if (typeof actual !== 'object' || actual === null) return differs(what, holds, actual);
  if (Array.isArray(holds) && (!Array.isArray(actual) || actual.length !== holds.length))
    return differs(what, holds, actual);
  return Object.entries(holds).flatMap(([key, value]) =>
    lacks(`${what}.${key}`, value, (actual as Record<string, unknown>)[key]),
  );
}

/** Undefined has no JSON form. */
function shown(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return `not JSON: ${text}`;
  }
}
