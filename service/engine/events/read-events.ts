import type { Clock } from '../../clock.ts';
import type { BlobStore } from '../../objects/blob-store.ts';
import type { Database } from '../../store/database.ts';
import { findExecution } from '../../store/executions.ts';
import { eventBytes } from './event-bytes.ts';
import { rowsOfCall, rowsOfRun } from './event-rows.ts';
import { type EventType, type RunEvent, withBytes } from './run-event.ts';

/** A position in the events of an execution: the row and index of the last one of a page. */
export interface EventPosition {
  seq: number;
  index: number;
}

interface EventQuery {
  /** Position after which to start. Defaults to the beginning. */
  after?: EventPosition | undefined;
  limit: number;
  /** Node id. */
  nodeName?: string | undefined;
  /** Empty for all types. */
  eventTypes?: readonly EventType[];
}

interface EventPage {
  events: RunEvent[];
  /** Absent on the last page. */
  next?: EventPosition;
  /** The run of the events: the execution itself, or the root run of a branch. */
  root: { executionId: string; graphId: string | null; nodeId: string | null; mutationEnabled: boolean };
}

/** Maximum total bytes of a page's events as JSON. A page ends early rather than exceed it, unless one event does. */
const maxPageBytes = 8_388_608;

/**
 * Reads the stored events of an execution with their messages, oldest first. A branch has only the events that occurred on it.
 *
 * @returns `undefined` if the tenant has no such execution
 */
export async function readEvents(
  { db, blobs, clock }: { db: Database; blobs: BlobStore; clock: Clock },
  { tenantId, executionId }: { tenantId: string; executionId: string },
  { after, limit, nodeName, eventTypes = [] }: EventQuery,
): Promise<EventPage | undefined> {
  const execution = await findExecution(db, tenantId, executionId);
  if (!execution) return undefined;
  const rootId = execution.lineageRootExecutionId ?? executionId;
  const { graphId, mutationEnabled } = execution;
  const root = { executionId: rootId, graphId, nodeId: execution.nodeId, mutationEnabled };
  const isWanted = (event: RunEvent): boolean =>
    (rootId === executionId || event.instanceId === executionId) &&
    (nodeName === undefined || event.nodeId === nodeName) &&
    (eventTypes.length === 0 || eventTypes.some((type) => type === event.type));

  const from = after?.seq ?? 0;
  const rows =
    execution.nodeId === null
      ? rowsOfRun(db, { tenantId, executionId: rootId, from })
      : rowsOfCall({ db, clock }, execution, from);
  const page: { event: RunEvent; position: EventPosition }[] = [];
  let bytes = 0;
  let hasMore = false;
  search: for await (const { seq, events } of rows) {
    for (const [index, event] of events.entries()) {
      if (seq === after?.seq && index <= after.index) continue;
      if (!event || !isWanted(event)) continue;
      bytes += eventBytes(event);
      // An event that does not fit means that there is another page.
      hasMore = page.length === limit || (page.length > 0 && bytes > maxPageBytes);
      if (hasMore) break search;
      page.push({ event, position: { seq, index } });
    }
  }
  const events: RunEvent[] = [];
  for (const { event } of page) {
    events.push(await withBytes(event, (blob) => blobs.read(tenantId, rootId, blob)));
  }
  const last = page.at(-1);
  return { events, root, ...(hasMore && last ? { next: last.position } : {}) };
}
