import type { ShownEvent } from '../load/read-events.ts';
import type { Check } from './violation.ts';

/** Each attempt of a step is scheduled once and in order, however often another replica takes over its run. */
export const attempts: Check = (_, { executions }) =>
  [...executions].flatMap(([id, { events }]) =>
    problemsOf(events).map((text) => ({ about: 'attempts', text: `execution ${id}: ${text}` })),
  );

function problemsOf(events: readonly ShownEvent[]): string[] {
  const last = new Map<string, number>();
  return events.flatMap(({ type, node_id: node = '', attempt = 0 }) => {
    if (type === 'NODE_STARTED') last.set(node, 1);
    if (type !== 'NODE_RETRY_SCHEDULED') return [];
    const before = last.get(node) ?? 0;
    last.set(node, attempt);
    return attempt === before + 1 ? [] : [`attempt ${attempt} of ${node} is scheduled after ${before}`];
  });
}
