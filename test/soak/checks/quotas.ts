import type { Check, Violation } from './violation.ts';

/**
 * What a tenant has drawn is what was charged: its acknowledged invocations, and each decision that won. Invocations whose outcome no
 * client knows may be charged, too: those that were refused with 502 or 503, and those whose response was lost.
 */
export const quotas: Check = ({ charges }, { usage }) =>
  usage.flatMap(({ handle, invocations, decisions, executions, runs, dailyInvocations }) => {
    const { sure, possible } = charges.get(handle) ?? { sure: 0, possible: 0 };
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
