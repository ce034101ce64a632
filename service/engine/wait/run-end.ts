import { findExecution } from '../../store/executions.ts';
import { findWaitingPause } from '../../store/pauses.ts';
import type { BlobStore } from '../../objects/blob-store.ts';
import type { Database } from '../../store/database.ts';
import { lastJournalRow } from '../../store/journal.ts';
import { decodeEntries } from '../journal/codec.ts';
import type { JournalEntry, RunEnding } from '../journal/entry.ts';
import { isBlob } from '../journal/payload.ts';

/** The end of a run, or its current state for a waiting caller. Times are epoch milliseconds. */
export type RunEnd =
  | { kind: 'completed'; output: Uint8Array; completedAt: number }
  | { kind: 'failed' | 'cancelled'; message: string; completedAt: number }
  | { kind: 'paused'; pauseId: string }
  | { kind: 'running' };

/**
 * Reads the end or the pause of a run from the database: `running` if it has neither, `undefined` if the tenant has no such run.
 */
export async function readRunEnd(
  db: Database,
  blobs: BlobStore,
  { tenantId, executionId }: { tenantId: string; executionId: string },
): Promise<RunEnd | undefined> {
  const execution = await findExecution(db, tenantId, executionId);
  if (!execution) return undefined;
  if (execution.completedAt === null) {
    const pause = await findWaitingPause(db.knex, tenantId, executionId);
    return pause ? { kind: 'paused', pauseId: pause.id } : { kind: 'running' };
  }
  const row = await lastJournalRow(db, tenantId, executionId);
  const end = row && decodeEntries(row.body).find(isEnd);
  if (!end) {
    const message = execution.errorMessage ?? 'the history of this execution has been deleted';
    return { kind: 'failed', message, completedAt: execution.completedAt };
  }
  const output =
    end.type === 'FLOW_COMPLETED' && isBlob(end.output)
      ? await blobs.read(tenantId, executionId, end.output.blob)
      : undefined;
  return runEndOf(end, output);
}

/**
 * Returns the end of a run for its callers.
 *
 * @param output the loaded output, if the journal holds it as a blob
 * @throws Error if the output is a blob and has not been loaded
 */
export function runEndOf(end: RunEnding, output?: Uint8Array): RunEnd {
  const completedAt = end.at;
  if (end.type === 'FLOW_FAILED') {
    return {
      kind: end.status === 'CANCELLED' ? 'cancelled' : 'failed',
      message: end.message,
      completedAt,
    };
  }
  const bytes = output ?? (isBlob(end.output) ? undefined : end.output);
  if (!bytes) throw new Error('the output of the run has not been loaded');
  return { kind: 'completed', output: bytes, completedAt };
}

function isEnd(entry: JournalEntry): entry is RunEnding {
  return entry.type === 'FLOW_COMPLETED' || entry.type === 'FLOW_FAILED';
}
