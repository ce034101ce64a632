import type { StoredPause } from '../evidence/evidence.ts';
import type { ShownEvent } from '../load/read-events.ts';
import type { Check } from './violation.ts';

/** A pause escalates at most once, while it waits, and its record says so. */
export const escalations: Check = (_, { pauses, executions }) =>
  pauses.flatMap((pause) => {
    const events = executions.get(pause.executionId)?.events ?? [];
    if (events.length === 0) return [];
    return problemsOf(pause, events).map((problem) => ({
      about: 'paused run',
      text: `pause ${pause.id} of ${pause.executionId} ${problem}`,
    }));
  });

function problemsOf({ id, escalatedAt, expiresAt }: StoredPause, events: readonly ShownEvent[]): string[] {
  const own = events.filter(({ pause_id }) => pause_id === id).map(({ type }) => type);
  const count = own.filter((type) => type === 'ESCALATION_TRIGGERED').length;
  const ended = own.findIndex((type) => type === 'HITL_RESUMED' || type === 'HITL_TIMEOUT');
  const recorded = escalatedAt === undefined ? 0 : 1;
  return [
    ...(count === recorded ? [] : [`has ${count} escalations in its history, and ${recorded} in its record`]),
    ...(ended === -1 || own.lastIndexOf('ESCALATION_TRIGGERED') < ended ? [] : ['escalated after its end']),
    ...(escalatedAt === undefined || escalatedAt <= expiresAt
      ? []
      : [`escalated at ${escalatedAt}, and had expired at ${expiresAt}`]),
  ];
}
