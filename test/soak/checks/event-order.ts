import type { Check } from './violation.ts';

/** The events of each execution have ascending ids, and the rows of its journal are numbered without a gap. */
export const eventOrder: Check = (_, { executions, journalGaps }) => [
  ...[...executions].flatMap(([id, { events }]) => {
    const at = events.findIndex(({ event_ulid }, n) => n > 0 && event_ulid <= events[n - 1]!.event_ulid);
    return at === -1
      ? []
      : [{ about: 'events', text: `execution ${id}: event ${at} is not after the one before it` }];
  }),
  ...journalGaps.map((id) => ({ about: 'events', text: `execution ${id}: its journal has a gap` })),
];
