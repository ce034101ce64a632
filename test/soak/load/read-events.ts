import { askUntilAnswered, type SoakContext } from './soak-context.ts';

/** The fields of an event that the checks examine. */
export interface ShownEvent {
  type: string;
  event_ulid: string;
  pause_id?: string;
  node_id?: string;
  attempt?: number;
  output?: { id?: string; decision?: string };
}

/** Reads the history of a run, page by page. Undefined if it cannot be read. */
export async function readEvents(
  context: SoakContext,
  executionId: string,
): Promise<ShownEvent[] | undefined> {
  const events: ShownEvent[] = [];
  let cursor: string | undefined;
  do {
    const from = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { answer } = await askUntilAnswered(context, {
      path: `/invocations/v1/executions/${executionId}/events?decode=true&limit=1000${from}`,
      expected: [200],
    });
    if (answer?.status !== 200) return undefined;
    const page = answer.body as { events: ShownEvent[]; next_cursor?: string };
    events.push(...page.events);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return events;
}
