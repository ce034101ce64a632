import { firstExecutionId } from '../ids.ts';
import type { BlobStore } from '../objects/blob-store.ts';
import { loopTurns } from '../work/turn-budget.ts';
import { type Database, isPostgres, type Tx } from './database.ts';
import { deleteStream, expiredStreams } from './split-streams.ts';

/**
 * Rows per statement. Small statements do not delay runs. SQLite works on the main thread, so the event loop gets a turn between
 * them. A sweep is not a transaction: the next sweep can continue from the state that each statement leaves.
 */
const keysAtOnce = 1_000;
const runsAtOnce = 50;
const streamsAtOnce = 50;
const tenantsAtOnce = 1_000;

/**
 * Pauses and decisions may take 128 KiB each. A journal of up to 5,000 rows is deleted in one statement, which takes 4 to 20 ms for
 * small rows.
 */
const decisionsAtOnce = 200;
const journalRowsAtOnce = 5_000;

/** Deletes idempotency keys from before `cutoff` (epoch milliseconds), and returns their number. Call it outside transactions. */
export async function deleteOldKeys(tx: Tx, cutoff: number): Promise<number> {
  const deleteSome = isPostgres(tx) ? deleteKeysByTime : deleteKeysOfLog;
  return inParts(() => deleteSome(tx, cutoff));
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
      await loopTurns.yieldIfSpent();
    }
    if (expired.length < streamsAtOnce) return;
  }
}

/**
 * Deletes the daily usage of days before `day` (days since 1970-01-01), and returns the number of rows. Call it outside transactions.
 */
export async function deleteOldUsage(tx: Tx, day: number): Promise<number> {
  const key = ['tenant_id', 'day'];
  return inParts(() =>
    tx('daily_usage')
      .whereIn(key, tx('daily_usage').select(key).where('day', '<', day).limit(keysAtOnce))
      .delete(),
  );
}

/** Deletes the logins that expired before `now` (epoch milliseconds). Call it outside transactions. */
export async function deleteExpiredLogins(tx: Tx, now: number): Promise<void> {
  const expired = tx('logins').select('secret_hash').where('expires_at', '<=', now).limit(keysAtOnce);
  await inParts(() => tx('logins').whereIn('secret_hash', expired).delete());
}

/** Repeats a statement that deletes up to `keysAtOnce` rows until none are left, and returns their number. */
async function inParts(deleteSome: () => Promise<number>): Promise<number> {
  let deleted = 0;
  for (;;) {
    const count = await deleteSome();
    deleted += count;
    if (count < keysAtOnce) return deleted;
    await loopTurns.yieldIfSpent();
  }
}

/**
 * Deletes the journals, pauses and blobs of executions that ended before `cutoff` (epoch milliseconds), and returns their number.
 * Open runs keep their journals. A journal without an execution comes from a direct call whose process died. Call it outside
 * transactions.
 */
export async function deleteOldJournals(
  tx: Tx,
  blobs: Pick<BlobStore, 'remove'>,
  cutoff: number,
): Promise<number> {
  let deleted = 0;
  let after = '';
  for (;;) {
    const ids = (await tx('tenants')
      .where('id', '>', after)
      .orderBy('id')
      .limit(tenantsAtOnce)
      .pluck('id')) as string[];
    for (const id of ids) {
      deleted += await deleteJournalsOf(tx, blobs, id, cutoff);
      await loopTurns.yieldIfSpent();
    }
    after = ids.at(-1) ?? '';
    if (ids.length < tenantsAtOnce) return deleted;
  }
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
    const begun = await journalsBegun(tx, tenantId, { after, before: firstExecutionId(cutoff) });
    // Most tenants have none.
    if (begun.length === 0) return deleted;
    const kept = (await tx('executions')
      .where({ tenant_id: tenantId })
      .whereIn('id', begun)
      .where((open) => {
        void open.whereNull('completed_at').orWhere('completed_at', '>=', cutoff);
      })
      .pluck('id')) as string[];
    const ended = begun.filter((id) => !kept.includes(id));
    // Deletes blobs first: if the sweep is interrupted, journal rows remain, and the next sweep finds the run again.
    for (const id of ended) await blobs.remove(tenantId, id);
    await deleteHistories(tx, tenantId, ended);
    deleted += ended.length;
    after = begun.at(-1) ?? '';
    if (begun.length < runsAtOnce) return deleted;
    await loopTurns.yieldIfSpent();
  }
}

/**
 * Returns the ids of the first executions between two ids that have a journal. Seeks each id, because `distinct`
 * would read all rows.
 */
async function journalsBegun(
  tx: Tx,
  tenantId: string,
  { after, before }: { after: string; before: string },
): Promise<string[]> {
  const first =
    'select min(execution_id) from journal where tenant_id = ? and execution_id < ? and execution_id >';
  const begun = tx.raw(
    `${first} ? union all select (${first} begun.id) from begun where begun.id is not null`,
    [tenantId, before, after, tenantId, before],
  );
  return tx
    .withRecursive('begun', ['id'], begun)
    .from('begun')
    .whereNotNull('id')
    .limit(runsAtOnce)
    .pluck<string[]>('id');
}

/** Tables of a run besides its journal, with the columns that identify a row. */
const decisionTables = {
  late_decisions: ['tenant_id', 'execution_id', 'pause_id', 'id'],
  pauses: ['tenant_id', 'id'],
};

/** The journals are deleted last, because the sweep finds runs by their journals. */
async function deleteHistories(tx: Tx, tenantId: string, executionIds: readonly string[]): Promise<void> {
  for (const [table, key] of Object.entries(decisionTables)) {
    const rows = tx(table).where({ tenant_id: tenantId }).whereIn('execution_id', executionIds);
    const some = rows.clone().select(key).limit(decisionsAtOnce);
    // Repeats until no row is left: a statement deletes fewer rows if another replica deletes the same ones, and that
    // replica may stop before the rest.
    while (await rows.clone().first(key)) {
      await tx(table).whereIn(key, some).delete();
      await loopTurns.yieldIfSpent();
    }
  }
  for (const executionId of executionIds) {
    const journal = { tenant_id: tenantId, execution_id: executionId };
    // A concurrent reader finds its beginning, as it would between two pages.
    const last = tx('journal').select('seq').where(journal).orderBy('seq', 'desc').limit(journalRowsAtOnce);
    while ((await tx('journal').where(journal).whereIn('seq', last).delete()) === journalRowsAtOnce)
      await loopTurns.yieldIfSpent();
    await loopTurns.yieldIfSpent();
  }
}
