import type { Clock } from '../../clock.ts';
import { columnText } from '../../store/column-text.ts';
import type { Database } from '../../store/database.ts';
import { isUniqueViolation } from '../../store/database-errors.ts';
import { journalPages } from '../../store/journal.ts';
import { endStream, type SplitStream } from '../../store/split-streams.ts';
import { streamTotalsRow } from '../call/call-journal.ts';
import { endedExecution } from '../call/direct-record.ts';

/**
 * Ends a stream whose upload no process reads any longer, and records its execution: the first frames and the
 * frame counts. Does nothing if the owner turns out to be alive: if it has stored frames since `stream` was
 * read, or a row of the journal since the journal was read. Readers may have those frames.
 */
export async function endAbandoned(
  { db, clock }: { db: Database; clock: Clock },
  stream: SplitStream,
  error: string,
): Promise<void> {
  const { tenantId, executionId, nodeId, nodeFqn, owner, frames, createdAt } = stream;
  const now = clock.now();
  const { rows, input, output } = await journaledFrames(db, stream);
  const inputFrames = Math.max(stream.inputFrames, input);
  const dropped = inputFrames - input + frames - output;
  const ended = endStream(db, stream, {
    owner: owner ?? '',
    since: { inputFrames: stream.inputFrames, frames },
    error,
    inputFrames,
    frames,
    execution: endedExecution({
      tenantId,
      executionId,
      nodeId,
      nodeFqn,
      startedAt: createdAt,
      endedAt: now,
      status: 'FAILED',
      failure: { message: columnText(error) },
    }),
    journal: streamTotalsRow(
      { tenantId, executionId, nodeName: nodeFqn.split('/').at(-1) ?? '', seq: rows },
      { inputFrames, totalFrames: frames, framesDropped: Math.max(0, dropped) },
      now,
    ),
  });
  await ended.catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
  });
}

/** Counts the rows of a call's journal, and the frames in them. */
async function journaledFrames(
  db: Database,
  stream: SplitStream,
): Promise<{ rows: number; input: number; output: number }> {
  const counted = { rows: 0, input: 0, output: 0 };
  for await (const page of journalPages(db, stream)) {
    for (const { body } of page) {
      for (const { type } of JSON.parse(body) as { type: string }[]) {
        if (type === 'NODE_INPUT_FRAME') counted.input += 1;
        if (type === 'NODE_FRAME') counted.output += 1;
      }
    }
    counted.rows += page.length;
  }
  return counted;
}
