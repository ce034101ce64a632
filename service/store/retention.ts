import { firstExecutionId } from '../ids.ts';
import type { BlobStore } from '../objects/blob-store.ts';
import { type Database, isPostgres, type Tx } from './database.ts';
import { deleteStream, expiredStreams } from './split-streams.ts';
import { listTenants } from './tenants.ts';

/** Rows per delete statement. Small statements do not delay runs. */
const keysAtOnce = 1_000;
const runsAtOnce = 50;
const streamsAtOnce = 50;

/** Deletes idempotency keys from before `cutoff` (epoch milliseconds), and returns their number. */
export async function deleteOldKeys(tx: Tx, cutoff: number): Promise<number> {
  const deleteSome = isPostgres(tx) ? deleteKeysByTime : deleteKeysOfLog;
  let deleted = 0;
  for (;;) {
    const count = await deleteSome(tx, cutoff);
    deleted += count;
    if (count < keysAtOnce) return deleted;
  }
}

async function deleteKeysByTime(tx: Tx, cutoff: number): Promise<number> {
  const old = tx('idempotency')
    .select('tenant_id', 'key_hash')
    .where('created_at', '<', cutoff)
    .limit(keysAtOnce);
  return tx('idempotency').whereIn(['tenant_id', 'key_hash'], old).delete();
}

/** The log is in time order. The newest row remains, because an empty log would restart its numbers. */
async function deleteKeysOfLog(tx: Tx, cutoff: number): Promise<number> {
  const first = tx('idempotency').select('seq', 'created_at').orderBy('seq').limit(keysAtOnce);
  const old = tx.select('seq').from(first.as('first')).where('created_at', '<', cutoff);
  return tx('idempotency').whereIn('seq', old).where('seq', '<', tx('idempotency').max('seq')).delete();
}

/** Deletes the split streams that expired before `cutoff` (epoch milliseconds), with their output. */
export async function deleteOldStreams(
  db: Database,
  blobs: Pick<BlobStore, 'remove'>,
  cutoff: number,
): Promise<void> {
  for (;;) {
    const expired = await expiredStreams(db.knex, cutoff, streamsAtOnce);
    for (const { tenantId, id } of expired) {
      // Deletes blobs first: if the sweep is interrupted, the next one finds the stream again.
      await blobs.remove(tenantId, id);
      await deleteStream(db, { tenantId, id });
    }
    if (expired.length < streamsAtOnce) return;
  }
}

/** Deletes the daily usage of days before `day` (days since 1970-01-01), and returns the number of rows. */
export async function deleteOldUsage(tx: Tx, day: number): Promise<number> {
  return tx('daily_usage').where('day', '<', day).delete();
}

/**
 * Deletes the journals, pauses and blobs of executions that ended before `cutoff` (epoch milliseconds), and returns their number.
 * Open runs keep their journals. A journal without an execution comes from a direct call whose process died.
 */
export async function deleteOldJournals(
  tx: Tx,
  blobs: Pick<BlobStore, 'remove'>,
  cutoff: number,
): Promise<number> {
  let deleted = 0;
  for (const { id } of await listTenants(tx)) deleted += await deleteJournalsOf(tx, blobs, id, cutoff);
  return deleted;
}

/** Execution ids are in time order, so the oldest runs come first in the tenant's journals. */
async function deleteJournalsOf(
  tx: Tx,
  blobs: Pick<BlobStore, 'remove'>,
  tenantId: string,
  cutoff: number,
): Promise<number> {
  let deleted = 0;
  let after = '';
  for (;;) {
    const begun = (await tx('journal')
      .distinct('execution_id')
      .where({ tenant_id: tenantId })
      .where('execution_id', '>', after)
      .where('execution_id', '<', firstExecutionId(cutoff))
      .orderBy('execution_id')
      .limit(runsAtOnce)
      .pluck('execution_id')) as string[];
    const kept = (await tx('executions')
      .where({ tenant_id: tenantId })
      .whereIn('id', begun)
      .where((open) => {
        void open.whereNull('completed_at').orWhere('completed_at', '>=', cutoff);
      })
      .pluck('id')) as string[];
    const ended = begun.filter((id) => !kept.includes(id));
    // Deletes blobs first: if the sweep is interrupted, the journal rows remain, and the next sweep finds the run again.
    for (const id of ended) await blobs.remove(tenantId, id);
    if (ended.length > 0) {
      // The journal is deleted last, because the sweep finds runs by their journals.
      for (const table of ['late_decisions', 'pauses', 'journal']) {
        await tx(table).where({ tenant_id: tenantId }).whereIn('execution_id', ended).delete();
      }
    }
    deleted += ended.length;
    after = begun.at(-1) ?? '';
    if (begun.length < runsAtOnce) return deleted;
  }
}
