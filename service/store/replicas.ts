import type { Knex } from 'knex';
import type { Tx } from './database.ts';
import { databaseNow } from './database-clock.ts';

/**
 * Heartbeats of the processes that run flows. Times come from the database's clock, because the clocks of replicas may differ. A
 * heartbeat in the future was written before the clock was set back; a live replica overwrites it within seconds.
 */

/** Stores a heartbeat, and registers a new replica. */
export async function beat(tx: Tx, id: string): Promise<void> {
  await tx.raw(
    `insert into replicas (id, heartbeat_at) values (?, ${databaseNow(tx)})
     on conflict (id) do update set heartbeat_at = excluded.heartbeat_at`,
    [id],
  );
}

/** Returns the replicas whose last heartbeat differs from the current time by `deadAfterMs` or more. */
export async function deadReplicas(tx: Tx, deadAfterMs: number): Promise<string[]> {
  const rows = await tx<{ id: string }>('replicas')
    .select('id')
    .whereRaw(`abs(${databaseNow(tx)} - heartbeat_at) >= ?`, [deadAfterMs])
    .orderBy('id');
  return rows.map(({ id }) => id);
}

/** Selects the ids of the replicas with a heartbeat in the last `deadAfterMs`, for a query that excludes them. */
export function aliveReplicas(tx: Tx, deadAfterMs: number): Knex.QueryBuilder {
  return tx('replicas')
    .select('id')
    .whereRaw(`abs(${databaseNow(tx)} - heartbeat_at) < ?`, [deadAfterMs]);
}

/**
 * Removes the replicas whose last heartbeat differs from the current time by `silentMs` or more, unless runs wait for another
 * replica to take them over. One that is alive after all is restored by its next heartbeat.
 */
export async function removeDeadReplicas(tx: Tx, silentMs: number): Promise<void> {
  // The search for runs to take over starts from these rows, so an owner without a row gets it back.
  await tx.raw(
    `insert into replicas (id, heartbeat_at)
     select distinct owner, 0 from executions where owner is not null and owner <> ''
     on conflict (id) do nothing`,
  );
  await tx('replicas')
    .whereRaw(`abs(${databaseNow(tx)} - heartbeat_at) >= ?`, [silentMs])
    .whereNotIn('id', tx('executions').select('owner').whereNotNull('owner'))
    .delete();
}

/** Removes a replica that has closed. */
export async function removeReplica(tx: Tx, id: string): Promise<void> {
  await tx('replicas').where({ id }).delete();
}
