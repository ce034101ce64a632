import { isPostgres, type Tx } from './database.ts';

/** A run that a replica took up, with what it must know before it reads the journal. */
export interface ClaimedRun {
  tenantId: string;
  executionId: string;
  graphId: string;
  /** Raised by every claim. */
  epoch: number;
}

export interface ClaimOptions {
  /** Who claims. */
  replica: string;
  /** Replicas whose runs are taken over, besides those that nobody has. */
  dead: readonly string[];
  /** Epoch milliseconds: runs that wait for a later time stay where they are. */
  now: number;
  limit: number;
}

/**
 * Takes up open runs of whichever tenant, by one conditional update: of two replicas that ask at once each gets others. A run
 * that its former owner still works on is safe from it by the journal's fence, once the claim stands there.
 */
export async function claimRuns(tx: Tx, { replica, dead, now, limit }: ClaimOptions): Promise<ClaimedRun[]> {
  const open = tx('executions')
    .select('tenant_id', 'id')
    .where((either) => {
      void either.where({ owner: '' }).whereRaw('coalesce(wake_at, 0) <= ?', [now]);
      if (dead.length > 0) void either.orWhereIn('owner', dead);
    })
    .limit(limit);
  // SQLite has one writer at a time, and nothing to skip.
  if (isPostgres(tx)) void open.forUpdate().skipLocked();
  const rows: Record<string, unknown>[] = await tx
    .with('claimable', open)
    .table('executions')
    .whereIn(['tenant_id', 'id'], tx.select('tenant_id', 'id').from('claimable'))
    .update(takenBy(tx, replica))
    .returning(['tenant_id', 'id', 'graph_id', 'epoch']);
  return rows.map(claimedRun);
}

/**
 * Takes up one run, whoever has it, or only if `from` has it; `undefined`: there is no such run, it is over, or another's.
 */
export async function claimRun(
  tx: Tx,
  {
    tenantId,
    executionId,
    replica,
    from,
  }: { tenantId: string; executionId: string; replica: string; from?: string },
): Promise<ClaimedRun | undefined> {
  const held = tx('executions').where({ tenant_id: tenantId, id: executionId });
  const [row]: Record<string, unknown>[] = await (
    from === undefined ? held.whereNotNull('owner') : held.where({ owner: from })
  )
    .update(takenBy(tx, replica))
    .returning(['tenant_id', 'id', 'graph_id', 'epoch']);
  return row && claimedRun(row);
}

/** Ids of the open runs that a replica has. */
export async function ownedRuns(tx: Tx, replica: string): Promise<Set<string>> {
  const rows = await tx<{ id: string; owner: string }>('executions').select('id').where({ owner: replica });
  return new Set(rows.map(({ id }) => id));
}

/** Leaves every run of a replica to whoever claims it next. */
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
