import type { Check } from './violation.ts';

/** Every direct call that succeeded has the status COMPLETED in its record. */
export const calls: Check = (history, { executions }) =>
  [...history.calls.keys()]
    .map((id) => ({ id, status: executions.get(id)?.status }))
    .filter(({ status }) => status !== 'COMPLETED')
    .map(({ id, status = 'unknown' }) => ({ about: 'direct call', text: `the call ${id} is ${status}` }));
