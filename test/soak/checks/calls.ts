import type { Check } from './violation.ts';

/** A direct call that was answered has a record that says so. */
export const calls: Check = (history, { executions }) =>
  [...history.calls.keys()]
    .map((id) => ({ id, status: executions.get(id)?.status }))
    .filter(({ status }) => status !== 'COMPLETED')
    .map(({ id, status = 'unknown' }) => ({ about: 'direct call', text: `the call ${id} is ${status}` }));
