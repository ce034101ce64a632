import { limits } from '../../../specs/limits.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../store/database.ts';
import type { Execution } from '../../store/executions.ts';
import { findJournalBody, journalPages } from '../../store/journal.ts';
import { decodeEntries } from '../journal/codec.ts';
import type { StreamTotals } from '../journal/entry.ts';
import { callEnded, callStarted } from './call-events.ts';
import { eventOf, type RunEvent } from './run-event.ts';

const retentionMs = limits.eventRetentionDays * 86_400_000;

/** Events that are read together. */
interface EventRow {
  /** From 0, without gaps. */
  seq: number;
  /** Undefined for a journal entry that is not an event. */
  events: (RunEvent | undefined)[];
}

/** Reads the events of a run by the rows of its journal, from row `from` on. */
export async function* rowsOfRun(
  db: Database,
  { tenantId, executionId, from }: { tenantId: string; executionId: string; from: number },
): AsyncGenerator<EventRow, void, undefined> {
  for await (const rows of journalPages(db, { tenantId, executionId }, from)) {
    for (const row of rows) {
      yield { seq: row.seq, events: decodeEntries(row.body).map((entry) => eventOf(executionId, entry)) };
    }
  }
}

/**
 * Reads the events of a direct call. The first and the last row follow from the execution. Between them are the rows
 * of its journal, if the node wrote a log. Like a run, a call has no events once its retention period is over.
 */
export async function* rowsOfCall(
  { db, clock }: { db: Database; clock: Clock },
  execution: Execution,
  from: number,
): AsyncGenerator<EventRow, void, undefined> {
  const { tenantId, id: executionId, completedAt } = execution;
  if (completedAt !== null && completedAt < clock.now() - retentionMs) return;
  if (from === 0) {
    yield { seq: 0, events: (await hasStarted(db, execution)) ? [callStarted(execution)] : [] };
  }
  let next = Math.max(1, from);
  let progressDropped = 0;
  let streamed: StreamTotals | undefined;
  for await (const rows of journalPages(db, { tenantId, executionId }, next - 1)) {
    for (const row of rows) {
      const entries = decodeEntries(row.body);
      for (const entry of entries) {
        if (entry.type === 'progress_dropped') progressDropped = entry.count;
        if (entry.type === 'streamed') {
          const { inputFrames, totalFrames, framesDropped } = entry;
          streamed = { inputFrames, totalFrames, framesDropped };
        }
      }
      yield { seq: row.seq + 1, events: entries.map((entry) => eventOf(executionId, entry)) };
      next = row.seq + 2;
    }
  }
  yield { seq: next, events: [callEnded(execution, progressDropped, streamed)] };
}

/**
 * Reports whether the node of a call started. Invalid input is rejected before that, unless it is a later frame of a
 * stream.
 */
async function hasStarted(
  db: Database,
  { tenantId, id: executionId, failureKind }: Execution,
): Promise<boolean> {
  if (failureKind !== 'INPUT_INVALID') return true;
  const first = await findJournalBody(db, { tenantId, executionId, seq: 0 });
  return decodeEntries(first ?? '[]').some(
    (entry) => entry.type === 'NODE_INPUT_FRAME' || (entry.type === 'streamed' && entry.inputFrames > 0),
  );
}
