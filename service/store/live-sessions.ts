import { type Database, isPostgres, type Tx } from './database.ts';
import { deleteRecords, insertRecords } from './records.ts';
import { aliveReplicas } from './replicas.ts';
import { defineTable, text } from './table.ts';

/** An open live session. The commits of runs count it among the open executions of its tenant. */
export interface LiveSession {
  tenantId: string;
  executionId: string;
  /** The replica that has the session. */
  owner: string;
}

const sessions = defineTable<LiveSession>('live_sessions', {
  tenantId: text(),
  executionId: text(),
  owner: text(),
});

/**
 * Takes a slot for a session.
 *
 * @param cap of the tenant's open executions; undefined for a tenant without a cap
 * @returns false if the tenant has reached the cap
 */
export async function takeSlot(
  db: Database,
  session: LiveSession,
  cap: number | undefined,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (cap !== undefined) {
      await lockTenant(tx, session.tenantId);
      if ((await openExecutions(tx, session.tenantId)) >= cap) return false;
    }
    await insertRecords(tx, sessions, [session]);
    return true;
  });
}

/** Locks the tenant, so that other replicas admit nothing until the end of the transaction. */
async function lockTenant(tx: Tx, tenantId: string): Promise<void> {
  // SQLite has one writer at a time.
  if (isPostgres(tx)) await tx('tenants').select('id').where({ id: tenantId }).forNoKeyUpdate();
}

/** Counts open runs and sessions of a tenant. */
export async function openExecutions(tx: Tx, tenantId: string): Promise<number> {
  const runs = tx('executions').where({ tenant_id: tenantId }).whereNotNull('owner').count({ open: '*' });
  const live = tx('live_sessions').where({ tenant_id: tenantId }).count({ open: '*' });
  const counts = (await Promise.all([runs, live])).flat() as { open: number | string }[];
  return counts.reduce((sum, { open }) => sum + Number(open), 0);
}

/** Releases a slot. */
export async function giveSlotBack(
  tx: Tx,
  session: Pick<LiveSession, 'tenantId' | 'executionId'>,
): Promise<void> {
  await deleteRecords(tx, sessions, session);
}

/**
 * Reconciles the slots of `replica` with its sessions: releases slots without a session, and takes slots again that
 * other replicas released because its heartbeat was late. Also releases the slots of dead replicas. On SQLite, every
 * other replica is dead.
 *
 * @param open the sessions by execution id; undefined for one whose slot is being taken
 * @param heartbeatsAreReliable reports whether silent replicas count as dead; called after the query that finds them
 */
export async function reconcileSlots(
  db: Database,
  {
    replica,
    open,
    deadAfterMs,
    heartbeatsAreReliable,
  }: {
    replica: string;
    open: ReadonlyMap<string, LiveSession | undefined>;
    deadAfterMs: number;
    heartbeatsAreReliable: () => boolean;
  },
): Promise<void> {
  const { knex } = db;
  // Slots that are taken after this point are not missing.
  const held = [...open.values()].filter((session) => session !== undefined);
  const owned = new Set<string>(
    (await knex('live_sessions').where({ owner: replica }).pluck('execution_id')) as string[],
  );
  const lost = [...owned].filter((id) => !open.has(id));
  if (lost.length > 0) {
    await knex('live_sessions').where({ owner: replica }).whereIn('execution_id', lost).delete();
  }
  const missing = held.filter(({ executionId }) => !owned.has(executionId) && open.has(executionId));
  if (missing.length > 0) await insertRecords(knex, sessions, missing);
  const ofDead = () => {
    const others = knex('live_sessions').whereNot({ owner: replica });
    return db.dialect === 'postgres' ? others.whereNotIn('owner', aliveReplicas(knex, deadAfterMs)) : others;
  };
  if ((await ofDead().first('owner')) && heartbeatsAreReliable()) await ofDead().delete();
}
