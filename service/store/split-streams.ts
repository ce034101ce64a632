import type { CallJournalRow } from './commit/call-write.ts';
import type { Database, Tx } from './database.ts';
import { type Execution, executions } from './executions.ts';
import { addJournalRows } from './journal.ts';
import { findRecord, insertRecords, updateRecords } from './records.ts';
import { aliveReplicas } from './replicas.ts';
import { type SplitChunk, splitChunks } from './split-chunks.ts';
import { bigInteger, columnNames, defineTable, fromRow, integer, nullable, text, toRow } from './table.ts';

/** A stream of a pipeline node whose input and output are separate requests. Times are epoch milliseconds. */
export interface SplitStream {
  tenantId: string;
  /** ULID. */
  id: string;
  /** The execution that records the upload. */
  executionId: string;
  nodeId: string;
  /** `<owner>/<package>/<version>/<node>` */
  nodeFqn: string;
  /** `uploading` lasts until the node has ended. */
  status: 'created' | 'uploading' | 'ended';
  /** The replica that receives the upload. */
  owner: string | null;
  /** Accepted input frames. Up to a second out of date while `uploading`. */
  inputFrames: number;
  /** Stored output frames. */
  frames: number;
  /** Set on ended streams that failed. */
  error: string | null;
  createdAt: number;
  expiresAt: number;
}

/** Identifies a stream. */
export type StreamKey = Pick<SplitStream, 'tenantId' | 'id'>;

const streams = defineTable<SplitStream>('split_streams', {
  tenantId: text(),
  id: text(),
  executionId: text(),
  nodeId: text(),
  nodeFqn: text(),
  status: text(),
  owner: nullable(text()),
  inputFrames: integer(),
  frames: integer(),
  error: nullable(text()),
  createdAt: bigInteger(),
  expiresAt: bigInteger(),
});

/** Stores a stream that waits for its upload. */
export async function insertStream(tx: Tx, stream: SplitStream): Promise<void> {
  await insertRecords(tx, streams, [stream]);
}

/** Finds a stream. An expired stream is found until it is deleted, some minutes later. */
export async function findStream(tx: Tx, { tenantId, id }: StreamKey): Promise<SplitStream | undefined> {
  return findRecord(tx, streams, { tenantId, id });
}

/** Returns the streams with these keys, of any tenant. */
export async function findStreams(tx: Tx, keys: readonly StreamKey[]): Promise<SplitStream[]> {
  const rows = (await tx(streams.name)
    .select(columnNames(streams))
    .whereIn(
      ['tenant_id', 'id'],
      keys.map(({ tenantId, id }) => [tenantId, id]),
    )) as Record<string, unknown>[];
  return rows.map((row) => fromRow(streams, row));
}

/** Makes a replica the owner of the upload. Returns false if the stream already had an upload. */
export async function claimStream(tx: Tx, { tenantId, id }: StreamKey, owner: string): Promise<boolean> {
  const claimed = { status: 'uploading' as const, owner };
  return (await updateRecords(tx, streams, { tenantId, id, status: 'created' }, claimed)) === 1;
}

/** The progress that the owner of an upload adds to its stream. */
interface StreamProgress {
  inputFrames: number;
  /** Output frames, including those of the chunk. */
  frames: number;
  chunk?: SplitChunk | undefined;
}

/** How a stream ends. */
interface StreamClose extends StreamProgress {
  error: string | null;
  /** Absent for an upload that was rejected before its node was called. */
  execution?: Execution | undefined;
  /** The last row of the execution's journal, if it is not written yet. */
  journal?: CallJournalRow | undefined;
  /** The progress that the stream must still have. If absent, any progress matches. */
  since?: Pick<StreamProgress, 'inputFrames' | 'frames'> | undefined;
}

/**
 * Stores progress; the same progress may be stored again. Returns false, and stores nothing, if the replica no longer owns the
 * upload.
 */
export function advanceStream(
  db: Database,
  key: StreamKey,
  { owner, ...progress }: StreamProgress & { owner: string },
): Promise<boolean> {
  return db.transaction((tx) => changeOwned(tx, key, { owner, progress, changes: {} }));
}

/**
 * Ends a stream together with its execution. Returns false, and stores nothing, if the replica no longer owns the upload, or has
 * already ended it, or if there has been progress.
 */
export function endStream(
  db: Database,
  key: StreamKey,
  { owner, error, execution, journal, since, ...progress }: StreamClose & { owner: string },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const ended = await changeOwned(tx, key, { owner, since, progress, changes: { status: 'ended', error } });
    if (ended && execution) await insertRecords(tx, executions, [execution]);
    if (ended && journal) {
      const { seq, body, at } = journal;
      await addJournalRows(tx, journal, [{ seq, body, at }]);
    }
    return ended;
  });
}

/**
 * Changes a stream that the replica still owns. A replica that was considered dead finds its stream ended, and stores
 * nothing.
 */
async function changeOwned(
  tx: Tx,
  { tenantId, id }: StreamKey,
  {
    owner,
    since,
    progress,
    changes,
  }: {
    owner: string;
    since?: StreamClose['since'];
    progress: StreamProgress;
    changes: Partial<SplitStream>;
  },
): Promise<boolean> {
  const { inputFrames, frames, chunk } = progress;
  const owned = { tenantId, id, owner, status: 'uploading' as const, ...since };
  const changed = await updateRecords(tx, streams, owned, { ...changes, inputFrames, frames });
  if (changed === 0) return false;
  if (chunk) await tx(splitChunks.name).insert(toRow(splitChunks, chunk)).onConflict().ignore();
  return true;
}

/**
 * Returns streams of any tenant whose owner has died, and the streams of `replica`, which itself knows the streams
 * that it still works on. On SQLite there is only one process, so every other owner has died.
 */
export async function abandonedStreams(
  db: Database,
  { replica, deadAfterMs }: { replica: string; deadAfterMs: number },
): Promise<SplitStream[]> {
  const { knex } = db;
  const query = knex(streams.name)
    .select(columnNames(streams))
    // As a literal, so that the index of uploading streams is used.
    .whereRaw("status = 'uploading'");
  if (db.dialect === 'postgres') {
    const alive = aliveReplicas(knex, deadAfterMs).whereNot({ id: replica });
    void query.whereNotIn('owner', alive);
  }
  const rows = (await query) as Record<string, unknown>[];
  return rows.map((row) => fromRow(streams, row));
}

/** Returns streams of any tenant that expired before `cutoff`, and on which no replica works. */
export async function expiredStreams(tx: Tx, cutoff: number, limit: number): Promise<StreamKey[]> {
  const rows = (await tx(streams.name)
    .select('tenant_id', 'id')
    .where('expires_at', '<', cutoff)
    .whereNot({ status: 'uploading' })
    .limit(limit)) as { tenant_id: string; id: string }[];
  return rows.map(({ tenant_id: tenantId, id }) => ({ tenantId, id }));
}

/** Deletes a stream with its output. */
export async function deleteStream(db: Database, { tenantId, id }: StreamKey): Promise<void> {
  await db.transaction(async (tx) => {
    await tx(splitChunks.name).where({ tenant_id: tenantId, stream_id: id }).delete();
    await tx(streams.name).where(toRow(streams, { tenantId, id })).delete();
  });
}
