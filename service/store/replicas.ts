import { isPostgres, type Tx } from './database.ts';

/**
 * Processes that run flows. Times are the database's: replicas' clocks may differ, and none is declared dead by its neighbour's.
 * Rows are nobody's data, so they have no tenant.
 */

/** Says that the replica lives, a new one too. */
export async function beat(tx: Tx, id: string): Promise<void> {
  await tx.raw(
    `insert into replicas (id, heartbeat_at) values (?, ${now(tx)})
     on conflict (id) do update set heartbeat_at = excluded.heartbeat_at`,
    [id],
  );
}

/** Replicas that have not beaten for `deadAfterMs`. */
export async function deadReplicas(tx: Tx, deadAfterMs: number): Promise<string[]> {
  const rows = await tx<{ id: string }>('replicas')
    .select('id')
    .whereRaw(`heartbeat_at <= ${now(tx)} - ?`, [deadAfterMs])
    .orderBy('id');
  return rows.map(({ id }) => id);
}

/** Forgets a replica that is closed, or dead with nothing left to take over. One that lives after all comes back by its beat. */
export async function removeReplica(tx: Tx, id: string): Promise<void> {
  await tx('replicas').where({ id }).delete();
}

function now(tx: Tx): string {
  return isPostgres(tx)
    ? '(extract(epoch from clock_timestamp()) * 1000)::int8'
    : "cast(unixepoch('subsec') * 1000 as integer)";
}
