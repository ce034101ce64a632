import { findExecution } from '../../store/executions.ts';
import type { BlobStore } from '../../store/blob-store.ts';
import type { Database } from '../../store/database.ts';
import { lastJournalRow } from '../../store/journal.ts';
import { decodeEntries } from '../run/journal-codec.ts';
import type { JournalEntry, RunEnding } from '../run/journal-entry.ts';
import { isBlob } from '../run/payload.ts';

/** Where a run stands for whoever waits for it. Times are epoch milliseconds. */
export type RunEnd =
  | { kind: 'completed'; output: Uint8Array; completedAt: number }
  | { kind: 'failed' | 'cancelled'; message: string; completedAt: number }
  | { kind: 'paused'; pauseId: string }
  | { kind: 'running' };

/**
 * How the run ended, as the database tells; `running`: it has not. `undefined`: the tenant has no such run.
 */
export async function readRunEnd(
  db: Database,
  blobs: BlobStore,
  { tenantId, executionId }: { tenantId: string; executionId: string },
): Promise<RunEnd | undefined> {
  const execution = await findExecution(db.knex, tenantId, executionId);
  if (!execution) return undefined;
  if (execution.completedAt === null) return { kind: 'running' };
  const row = await lastJournalRow(db, tenantId, executionId);
  const end = row && decodeEntries(row.body).find(isEnd);
  if (!end) {
    const message = execution.errorMessage ?? 'the history of this execution is no longer kept';
    return { kind: 'failed', message, completedAt: execution.completedAt };
  }
  const output =
    end.type === 'FLOW_COMPLETED' && isBlob(end.output)
      ? await blobs.read(tenantId, executionId, end.output.blob)
      : undefined;
  return runEndOf(end, output);
}

/** @param output of a completed run whose output is a blob */
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
  if (!bytes) throw new Error('the output of the run has not been read');
  return { kind: 'completed', output: bytes, completedAt };
}

function isEnd(entry: JournalEntry): entry is RunEnding {
  return entry.type === 'FLOW_COMPLETED' || entry.type === 'FLOW_FAILED';
}
