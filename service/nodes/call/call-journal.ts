import type { Clock } from '../../clock.ts';
import { callEventId } from '../../ids.ts';
import type { CallJournalRow } from '../../store/commit/call-write.ts';
import type { CallListener } from '../container/read-answer.ts';
import { type CallNote, createNoteListener } from './call-note.ts';

/** The journal of a direct call: the log and the progress of its node. A call without them has no rows. */
export interface CallJournal {
  listener: CallListener;
  /** Appends the last row at once, and resolves when all rows are committed. Later messages of the node are ignored. */
  close(): Promise<void>;
}

interface CallJournalOptions {
  rows: { append(row: CallJournalRow): Promise<void> };
  clock: Clock;
  tenantId: string;
  executionId: string;
  /** Name of the node. */
  node: string;
}

/** Bytes of text that are gathered for a row. Without it, a long log would stay in memory until the call ends. */
const rowBytes = 262_144;

/** Opens the journal of a call. Its rows have the format of a run's journal (`service/engine/journal`). */
export function openCallJournal({
  rows,
  clock,
  tenantId,
  executionId,
  node,
}: CallJournalOptions): CallJournal {
  const appended: Promise<void>[] = [];
  let entries: object[] = [];
  let gathered = 0;
  let count = 0;
  let at = 0;
  let closed = false;

  const add = (fact: CallNote | { type: 'progress_dropped'; count: number }): void => {
    count += 1;
    at = Math.max(at, clock.now());
    entries.push({
      ...fact,
      step: 0,
      node,
      branch: executionId,
      id: callEventId(executionId, { at, place: count }),
      at,
    });
  };
  const append = (): void => {
    if (entries.length === 0) return;
    const body = JSON.stringify(entries);
    const row = rows.append({ tenantId, executionId, seq: appended.length, body, at });
    // `close` reports a failure. The call may still be open by then.
    row.catch(() => undefined);
    appended.push(row);
    entries = [];
    gathered = 0;
  };
  const notes = createNoteListener(
    () => clock.now(),
    (note) => {
      if (closed) return;
      add(note);
      gathered += Buffer.byteLength(note.type === 'NODE_LOG' ? note.message : note.json);
      if (gathered >= rowBytes) append();
    },
  );
  return {
    listener: notes,
    close: async () => {
      const dropped = notes.progressDropped();
      if (dropped > 0) add({ type: 'progress_dropped', count: dropped });
      closed = true;
      append();
      await Promise.all(appended);
    },
  };
}
