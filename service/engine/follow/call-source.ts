import type { Clock } from '../../clock.ts';
import type { Database } from '../../store/database.ts';
import type { Execution } from '../../store/executions.ts';
import { rowsOfCall } from '../events/event-rows.ts';
import type { RunEvent } from '../events/run-event.ts';
import type { EventSource } from './event-source.ts';

/** Returns the events of a direct call. A call is recorded only after it has ended. */
export function callSource(parts: { db: Database; clock: Clock }, execution: Execution): EventSource {
  return {
    sessions: [],
    read: async () => {
      const events: RunEvent[] = [];
      for await (const row of rowsOfCall(parts, execution, 0)) {
        events.push(...row.events.filter((event) => event !== undefined));
      }
      return { events, ended: true };
    },
    close: () => undefined,
  };
}
