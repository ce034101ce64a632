import type { Clock } from '../../clock.ts';
import type { BlobStore } from '../../objects/blob-store.ts';
import type { Database } from '../../store/database.ts';
import { findExecution } from '../../store/executions.ts';
import type { Payload } from '../journal/entry.ts';
import { isBlob } from '../journal/payload.ts';
import { rowsOfCall, rowsOfRun } from './event-rows.ts';
import { type EventType, type RunEvent, withBytes } from './run-event.ts';

/** A position in the events of an execution: the row and index of the last one of a page. */
export interface EventPosition {
  seq: number;
  index: number;
}

interface EventQuery {
  /** Returns the events after this position; absent: from the beginning. */
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

/** Maximum total bytes of a page's messages. A page ends early rather than exceed it. */
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
  const found: { event: RunEvent; position: EventPosition }[] = [];
  for await (const { seq, events } of rows) {
    for (const [index, event] of events.entries()) {
      if (seq === after?.seq && index <= after.index) continue;
      if (event && isWanted(event)) found.push({ event, position: { seq, index } });
    }
    // One event beyond the limit shows that there is a further page.
    if (found.length > limit) break;
  }
  const page = found.slice(0, pageLength(found, limit));
  const events: RunEvent[] = [];
  for (const { event } of page) {
    events.push(await withBytes(event, (blob) => blobs.read(tenantId, rootId, blob)));
  }
  const last = page.at(-1);
  return { events, root, ...(found.length > page.length && last ? { next: last.position } : {}) };
}

/** Returns the number of events on the page: up to the limit, fewer if their messages are too large, and at least one. */
function pageLength(found: readonly { event: RunEvent }[], limit: number): number {
  let bytes = 0;
  const tooMany = found.findIndex(({ event }) => {
    bytes += sizeOf(event.input) + sizeOf(event.output) + sizeOf(event.frame);
    return bytes > maxPageBytes;
  });
  return Math.min(limit, tooMany < 0 ? found.length : Math.max(1, tooMany));
}

function sizeOf(payload: Payload | undefined): number {
  if (payload === undefined) return 0;
  return isBlob(payload) ? payload.size : payload.length;
}
