import type { BlobStore } from '../../store/blob-store.ts';
import type { Database } from '../../store/database.ts';
import { findExecution } from '../../store/executions.ts';
import { journalPage, readJournal } from '../../store/journal.ts';
import { decodeEntries } from '../run/journal-codec.ts';
import type { Payload } from '../run/journal-entry.ts';
import { isBlob } from '../run/payload.ts';
import { type EventType, eventOf, type RunEvent, withBytes } from './run-event.ts';

/** A place in a journal: the entry after which a page ended, by its row and its index there. */
export interface EventPosition {
  seq: number;
  index: number;
}

export interface EventQuery {
  /** The events after it; absent: from the beginning. */
  after?: EventPosition | undefined;
  limit: number;
  /** Canvas id. */
  nodeName?: string | undefined;
  /** Any of these; none: all. */
  eventTypes?: readonly EventType[];
}

export interface EventPage {
  events: RunEvent[];
  /** Absent on the last page. */
  next?: EventPosition;
  /** The run that the events are of: the execution itself, or the run whose branch it is. */
  root: { executionId: string; graphId: string | null; mutationEnabled: boolean };
}

/** Messages of one page together, bytes: a page ends early rather than growing with what flows through a run. */
const pageBytes = 8_388_608;

/**
 * Reads the durable history of an execution, oldest first, messages included. Of a branch: what happened on it.
 *
 * @returns `undefined`: the tenant has no such execution
 */
export async function readEvents(
  { db, blobs }: { db: Database; blobs: BlobStore },
  { tenantId, executionId }: { tenantId: string; executionId: string },
  { after, limit, nodeName, eventTypes = [] }: EventQuery,
): Promise<EventPage | undefined> {
  const execution = await findExecution(db.knex, tenantId, executionId);
  if (!execution) return undefined;
  const rootId = execution.lineageRootExecutionId ?? executionId;
  const { graphId, mutationEnabled } = execution;
  const root = { executionId: rootId, graphId, mutationEnabled };
  const isWanted = (event: RunEvent): boolean =>
    (rootId === executionId || event.instanceId === executionId) &&
    (nodeName === undefined || event.nodeId === nodeName) &&
    (eventTypes.length === 0 || eventTypes.some((type) => type === event.type));

  const found: { event: RunEvent; position: EventPosition }[] = [];
  let seq = after?.seq ?? 0;
  for (;;) {
    const rows = await readJournal(db, tenantId, rootId, seq);
    for (const row of rows) {
      for (const [index, entry] of decodeEntries(row.body).entries()) {
        if (row.seq === after?.seq && index <= after.index) continue;
        const event = eventOf(rootId, entry);
        if (event && isWanted(event)) found.push({ event, position: { seq: row.seq, index } });
      }
      // One more than asked for: whether there is a further page.
      if (found.length > limit) break;
    }
    seq += rows.length;
    if (found.length > limit || rows.length < journalPage) break;
  }
  const page = found.slice(0, pageLength(found, limit));
  const events: RunEvent[] = [];
  for (const { event } of page) {
    events.push(await withBytes(event, (blob) => blobs.read(tenantId, rootId, blob)));
  }
  const last = page.at(-1);
  return { events, root, ...(found.length > page.length && last ? { next: last.position } : {}) };
}

/** How many of the events make the page: as many as asked for, unless their messages are too many bytes; at least one. */
function pageLength(found: readonly { event: RunEvent }[], limit: number): number {
  let bytes = 0;
  const tooMany = found.findIndex(({ event }) => {
    bytes += sizeOf(event.input) + sizeOf(event.output);
    return bytes > pageBytes;
  });
  return Math.min(limit, tooMany < 0 ? found.length : Math.max(1, tooMany));
}

function sizeOf(payload: Payload | undefined): number {
  if (payload === undefined) return 0;
  return isBlob(payload) ? payload.size : payload.length;
}
