import type { History } from '../history.ts';
import type { Check, Violation } from './violation.ts';

/**
 * A run whose pause expires or escalates within this time stays in memory. A decision on such a run is charged before
 * its outcome is known.
 */
const inMemoryMs = 10_000;

/**
 * The usage of a tenant matches its charges: its acknowledged invocations, and each decision that won. Invocations
 * whose outcome no client knows may be charged too: those that were refused with 502 or 503, those whose response was
 * lost, and decisions that lost shortly before their pause would have expired or escalated.
 */
export const quotas: Check = (history, { usage }) =>
  usage.flatMap(({ handle, invocations, decisions, executions, runs, dailyInvocations }) => {
    const { sure, possible: unknown } = history.charges.get(handle) ?? { sure: 0, possible: 0 };
    const possible = unknown + lostDecisions(history, handle);
    const least = sure + decisions;
    const problem = (text: string): Violation => ({ about: 'quotas', text: `${handle} ${text}` });
    return [
      ...(invocations >= least && invocations <= least + possible
        ? []
        : [problem(`has drawn ${invocations} invocations, not ${least} and at most ${possible} more`)]),
      ...(invocations <= dailyInvocations
        ? []
        : [problem(`has drawn ${invocations} invocations, and may draw ${dailyInvocations}`)]),
      ...(executions === runs ? [] : [problem(`has drawn ${executions} executions for ${runs} runs`)]),
    ];
  });

/** Counts the losing decisions of a tenant that were sent in time and may be charged. */
function lostDecisions({ decisions, runs }: History, handle: string): number {
  return decisions.filter(({ executionId, isRepeated = true, sentAt, expiresAt, escalatesAt = -1 }) => {
    const isSoon = (at: number): boolean => at >= sentAt && at - sentAt <= inMemoryMs;
    const isInMemory = isSoon(expiresAt) || isSoon(escalatesAt);
    return isRepeated && isInMemory && runs.get(executionId)?.tenant.handle === handle;
  }).length;
}
