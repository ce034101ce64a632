import type { ApiTarget } from './api-client.ts';
import { apiPath } from './api-command.ts';
import { askApi } from './ask-api.ts';
import type { ExecutionEvent } from './event-line.ts';

/** What to read of the history of an execution. */
interface HistoryQuery {
  /** Event types; absent or empty: all. */
  types?: readonly string[] | undefined;
  /** Id of a node. */
  node?: string | undefined;
  /** Whether events have their messages as JSON. */
  decode?: boolean | undefined;
  /** `next_cursor` of the page before the first one to read. */
  cursor?: string | undefined;
}

/** A page of the history, and the cursor that reads it again. */
interface EventPage {
  events: ExecutionEvent[];
  cursor: string | undefined;
}

const pageSize = 1_000;

/**
 * Reads the history of an execution page by page, oldest events first.
 *
 * @throws CliError if the execution is unknown
 */
export async function* eventPages(
  target: ApiTarget,
  executionId: string,
  { types = [], node, decode, cursor: first }: HistoryQuery = {},
): AsyncGenerator<EventPage, void, undefined> {
  let cursor = first;
  do {
    const query = new URLSearchParams({ limit: String(pageSize) });
    for (const type of types) query.append('event_type', type);
    if (node !== undefined) query.set('node_name', node);
    if (decode) query.set('decode', 'true');
    if (cursor !== undefined) query.set('cursor', cursor);
    const path = `${apiPath('/invocations/v1/executions/{}/events', executionId)}?${query.toString()}`;
    const page = await askApi<{ events: ExecutionEvent[]; next_cursor?: string }>(target, {
      method: 'GET',
      path,
      ...unknownExecution(executionId),
    });
    yield { events: page.events, cursor };
    cursor = page.next_cursor;
  } while (cursor !== undefined);
}

/** How errors name an execution. */
export function unknownExecution(id: string): { subject: string; hint: string } {
  return { subject: `execution "${id}"`, hint: 'run svc execution list to see the latest' };
}
