import type { History } from '../history.ts';
import type { Check, Violation } from './violation.ts';

/** A run whose pause expires or escalates so soon stays in memory, where a decision draws its invocation before it is decided. */
const inMemoryMs = 10_000;

/**
 * What a tenant has drawn is what was charged: its acknowledged invocations, and each decision that won. Invocations whose outcome no
 * client knows may be charged, too: those that were refused with 502 or 503, those whose response was lost, and decisions that lost
 * shortly before their pause would have expired or escalated.
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

/** Counts the decisions of a tenant that lost although they came in time, and that may be charged. */
function lostDecisions({ decisions, runs }: History, handle: string): number {
  return decisions.filter(({ executionId, isRepeated = true, sentAt, expiresAt, escalatesAt = -1 }) => {
    const isSoon = (at: number): boolean => at >= sentAt && at - sentAt <= inMemoryMs;
    const isInMemory = isSoon(expiresAt) || isSoon(escalatesAt);
    return isRepeated && isInMemory && runs.get(executionId)?.tenant.handle === handle;
  }).length;
}
