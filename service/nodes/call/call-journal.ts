import type { Clock } from '../../clock.ts';
import { callEventId } from '../../ids.ts';
import type { Node } from '../../store/nodes.ts';
import type { CallJournalRow } from '../../store/commit/call-write.ts';
import type { CallListener } from '../container/read-answer.ts';
import { type CallNote, createNoteListener } from './call-note.ts';
import { createFrameGate, type FrameGate } from './frame-gate.ts';
import type { TokenBucket } from '../token-bucket.ts';

/** The journal of a direct call: the log, the progress and the first frames of its node. A call without them has no rows. */
export interface CallJournal {
  listener: CallListener;
  /** Records a frame of a pipeline node, serialized. */
  frame(direction: 'input' | 'output', bytes: Uint8Array): void;
  /** Appends the gathered notes, so that they survive the process. */
  flush(): void;
  /** Appends the last row at once. Later messages from the node are ignored. Each promise resolves once its row is committed. */
  close(): Promise<void>[];
}

interface CallJournalOptions {
  rows: { append(row: CallJournalRow): Promise<void> };
  clock: Clock;
  logTokens: TokenBucket;
  tenantId: string;
  executionId: string;
  node: Pick<Node, 'name' | 'mode'>;
}

/** What a direct call appends in addition to its node's notes. */
type CallFact =
  | { type: 'NODE_FRAME' | 'NODE_INPUT_FRAME'; index: number; frame: { base64: string } }
  | { type: 'streamed'; inputFrames: number; totalFrames: number; framesDropped: number }
  | { type: 'progress_dropped'; count: number };

/**
 * Bytes of text that are gathered for a row. Without this limit, a long log would stay in memory until the
 * call ends.
 */
const rowBytes = 262_144;

/** Opens the journal of a call. Its rows have the format of a run's journal (`service/engine/journal`). */
export function openCallJournal({
  rows,
  clock,
  logTokens,
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

  const add = (fact: CallNote | CallFact): void => {
    count += 1;
    at = Math.max(at, clock.now());
    entries.push({
      ...fact,
      step: 0,
      node: node.name,
      branch: executionId,
      id: callEventId(executionId, { at, place: count }),
      at,
    });
  };
  const append = (): void => {
    if (entries.length === 0) return;
    const body = JSON.stringify(entries);
    const row = rows.append({ tenantId, executionId, seq: appended.length, body, at });
    // `close` reports the failure. Until it is called, the rejection must not count as unhandled.
    row.catch(() => undefined);
    appended.push(row);
    entries = [];
    gathered = 0;
  };
  const gather = (fact: CallNote | CallFact, bytes: number): void => {
    if (closed) return;
    add(fact);
    gathered += bytes;
    if (gathered >= rowBytes) append();
  };
  const notes = createNoteListener({
    logTokens,
    clock,
    onNote: (note) => gather(note, Buffer.byteLength(note.type === 'NODE_LOG' ? note.message : note.json)),
  });
  // Created lazily and only for pipeline nodes: most calls have one message each way.
  let gates: Record<'input' | 'output', FrameGate> | undefined;
  const frameGates = (): Record<'input' | 'output', FrameGate> =>
    (gates ??= { input: createFrameGate(), output: createFrameGate() });
  return {
    listener: notes,
    frame: (direction, bytes) => {
      const index = frameGates()[direction].pass(bytes.length);
      if (index === undefined) return;
      const type = direction === 'input' ? 'NODE_INPUT_FRAME' : 'NODE_FRAME';
      gather({ type, index, frame: { base64: Buffer.from(bytes).toString('base64') } }, bytes.length);
    },
    flush: append,
    close: () => {
      const dropped = notes.progressDropped();
      if (dropped > 0) add({ type: 'progress_dropped', count: dropped });
      if (node.mode === 'pipeline') {
        const { input, output } = frameGates();
        const framesDropped = input.dropped() + output.dropped();
        add({ type: 'streamed', inputFrames: input.total(), totalFrames: output.total(), framesDropped });
      }
      closed = true;
      append();
      return appended;
    },
  };
}

/** Returns the last journal row of a stream whose process did not close its journal. */
export function streamTotalsRow(
  {
    tenantId,
    executionId,
    nodeName,
    seq,
  }: { tenantId: string; executionId: string; nodeName: string; seq: number },
  totals: { inputFrames: number; totalFrames: number; framesDropped: number },
  at: number,
): CallJournalRow {
  const id = callEventId(executionId, { at, place: lastNote });
  const entry = { type: 'streamed', ...totals, step: 0, node: nodeName, branch: executionId, id, at };
  return { tenantId, executionId, seq, body: JSON.stringify([entry]), at };
}

/** Sorts after the notes of any call, and before the end of the call. */
const lastNote = 0xffff_fffe;
