import { excuseOf } from './excuses.ts';
import type { Check } from './violation.ts';

/** Every response has a status that its request expects, unless a fault explains another one. */
export const answers: Check = ({ answers: seen, harms }) =>
  seen
    .filter(({ status, expected }) => status === undefined || !expected.includes(status))
    .filter((answer) => excuseOf(answer, harms) === undefined)
    .map(({ operation, request, replica, from, to, status = 'no response', text = '' }) => ({
      about: operation,
      text: `${status} to ${request} at ${replica}, from ${time(from)} to ${time(to)}: ${text}`,
    }));

function time(at: number): string {
  return new Date(at).toISOString().slice(11, 23);
}
