import type { Check } from './violation.ts';

/** All uses of an idempotency key return the same execution. */
export const idempotency: Check = ({ keys }) => {
  const executions = new Map<string, Set<string>>();
  for (const { tenant, key, executionId } of keys) {
    const name = `${key} of ${tenant}`;
    executions.set(name, (executions.get(name) ?? new Set()).add(executionId));
  }
  return [...executions]
    .filter(([, ids]) => ids.size > 1)
    .map(([name, ids]) => ({
      about: 'idempotency',
      text: `the key ${name} gave the executions ${[...ids].join(', ')}`,
    }));
};
