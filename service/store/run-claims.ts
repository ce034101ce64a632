import { type Database, isPostgres, type Tx } from './database.ts';
import { prepareQuery } from './prepared/prepared-query.ts';

/** A run that a replica has claimed, before it reads the journal. */
export interface ClaimedRun {
  tenantId: string;
  executionId: string;
  graphId: string;
  /** Incremented by every claim. */
  epoch: number;
}

interface ClaimOptions {
  /** The claiming replica. */
  replica: string;
  /** Dead replicas, whose runs are claimed in addition to runs without an owner. */
  dead: readonly string[];
  /** Epoch milliseconds. Runs that wait for a later time are not claimed. */
  now: number;
  limit: number;
}

/**
 * Claims open runs of any tenant in one conditional update. Concurrent replicas get different runs. If the former owner still
 * works on a run, the journal fences it off as soon as the new owner has appended a row.
 */
export async function claimRuns(tx: Tx, { replica, dead, now, limit }: ClaimOptions): Promise<ClaimedRun[]> {
  const open = tx('executions')
    .select('tenant_id', 'id')
    .where((either) => {
      // Each alternative is a range of the index of open runs, so runs that wait for later cost nothing.
      void either.where({ owner: '', wake_at: null }).orWhere({ owner: '' }).andWhere('wake_at', '<=', now);
      if (dead.length > 0) void either.orWhereIn('owner', dead);
    })
    .limit(limit);
  // SQLite has one writer at a time, so no row is locked. An update would wait for the write lock even if it found nothing.
  if (isPostgres(tx)) void open.forUpdate().skipLocked();
  else if ((await open.clone().first()) === undefined) return [];
  const rows: Record<string, unknown>[] = await tx
    .with('claimable', open)
    .table('executions')
    .whereIn(['tenant_id', 'id'], tx.select('tenant_id', 'id').from('claimable'))
    .update(takenBy(tx, replica))
    .returning(['tenant_id', 'id', 'graph_id', 'epoch']);
  return rows.map(claimedRun);
}

/** Claims an open run from the owner `from`. Returns `undefined` if that replica does not own it. */
export async function claimRun(
  tx: Tx,
  {
    tenantId,
    executionId,
    replica,
    from,
  }: { tenantId: string; executionId: string; replica: string; from: string },
): Promise<ClaimedRun | undefined> {
  const [row]: Record<string, unknown>[] = await tx('executions')
    .where({ tenant_id: tenantId, id: executionId, owner: from })
    .update(takenBy(tx, replica))
    .returning(['tenant_id', 'id', 'graph_id', 'epoch']);
  return row && claimedRun(row);
}

const claimable = prepareQuery(
  `select tenant_id, id, graph_id, epoch + 1 as epoch from executions
   where tenant_id = ? and id = ? and owner is not null`,
);

/** Returns an open run with the epoch of its next claim, which is committed with a row of its journal. */
export async function findClaimableRun(
  db: Database,
  { tenantId, executionId }: { tenantId: string; executionId: string },
): Promise<ClaimedRun | undefined> {
  const [row] = await claimable(db, [tenantId, executionId]);
  return row && claimedRun(row);
}

/** Returns the tenants of the open runs that a replica owns, by execution id. */
export async function ownedRuns(tx: Tx, replica: string): Promise<Map<string, string>> {
  const rows = await tx<{ id: string; tenant_id: string; owner: string }>('executions')
    .select('id', 'tenant_id')
    .where({ owner: replica });
  return new Map(rows.map(({ id, tenant_id }) => [id, tenant_id]));
}

/** Releases every run of a replica, so that others can claim them. */
export async function releaseRuns(tx: Tx, replica: string): Promise<void> {
  await tx('executions').where({ owner: replica }).update({ owner: '', wake_at: 0 });
}

function takenBy(tx: Tx, replica: string): Record<string, unknown> {
  return { owner: replica, wake_at: null, status: 'RUNNING', epoch: tx.raw('epoch + 1') };
}

function claimedRun(row: Record<string, unknown>): ClaimedRun {
  return {
    tenantId: row.tenant_id as string,
    executionId: row.id as string,
    graphId: row.graph_id as string,
    epoch: Number(row.epoch),
  };
}
