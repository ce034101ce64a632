import type { Database } from '../../store/database.ts';
import type { Execution } from '../../store/executions.ts';
import { rowsOfCall } from '../events/event-rows.ts';
import type { RunEvent } from '../events/run-event.ts';
import type { EventSource } from './event-source.ts';

/** The events of a direct call, which is recorded when it has ended. */
export function callSource(db: Database, execution: Execution): EventSource {
  return {
    sessions: [],
    read: async () => {
      const events: RunEvent[] = [];
      for await (const row of rowsOfCall(db, execution, 0)) {
        events.push(...row.events.filter((event) => event !== undefined));
      }
      return { events, ended: true };
    },
    close: () => undefined,
  };
}
