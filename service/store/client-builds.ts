import { isPostgres, type Tx } from './database.ts';
import { findRecord, insertRecords, listRecords, updateRecords } from './records.ts';
import { defineTable, fromRow, integer, nullable, text } from './table.ts';

/** The build of one version of a client in one language, and the queue of builds: a pending row is work to do. */
export interface ClientBuild {
  tenantId: string;
  id: string;
  clientId: string;
  version: number;
  language: string;
  status: 'pending' | 'succeeded' | 'failed';
  /** Why it failed. */
  error: string | null;
  /** Of the archive, when it succeeded: lower-case hex, bytes. */
  sha256: string | null;
  size: number | null;
  createdAt: number;
  /** Who works on it, and until when nobody else may; a worker that dies is followed by another then. */
  leaseOwner: string | null;
  leaseUntil: number | null;
}

const builds = defineTable<ClientBuild>('client_builds', {
  tenantId: text(),
  id: text(),
  clientId: text(),
  version: integer(),
  language: text(),
  status: text(),
  error: nullable(text()),
  sha256: nullable(text()),
  size: nullable(integer()),
  createdAt: integer(),
  leaseOwner: nullable(text()),
  leaseUntil: nullable(integer()),
});

/** Unique index that refuses a second build of the same version and language. */
export const buildTaken = 'client_builds_tenant_id_client_id_version_language_unique';

export async function insertBuild(tx: Tx, build: ClientBuild): Promise<void> {
  await insertRecords(tx, builds, [build]);
}

export async function findBuild(
  tx: Tx,
  tenantId: string,
  clientId: string,
  version: number,
  language: string,
): Promise<ClientBuild | undefined> {
  return findRecord(tx, builds, { tenantId, clientId, version, language });
}

/** By version, then in the order of asking. */
export async function listBuilds(tx: Tx, tenantId: string, clientId: string): Promise<ClientBuild[]> {
  return listRecords(tx, builds, { tenantId, clientId }, ['version', 'createdAt', 'id']);
}

/** Queues a finished build again. Whoever still works on it has lost its lease. */
export async function resetBuild(tx: Tx, tenantId: string, id: string): Promise<void> {
  await updateRecords(
    tx,
    builds,
    { tenantId, id },
    {
      status: 'pending',
      error: null,
      sha256: null,
      size: null,
      leaseOwner: null,
      leaseUntil: null,
    },
  );
}

export interface Claim {
  /** Unique to this claim, not to its process: it is what tells a follower from the one that it follows. */
  owner: string;
  now: number;
  leaseMs: number;
}

/**
 * Takes the oldest pending build that nobody holds a lease on, of whichever tenant; `undefined`: there is none. Of many that
 * ask at once each gets another one.
 */
export async function claimBuild(tx: Tx, { owner, now, leaseMs }: Claim): Promise<ClientBuild | undefined> {
  const oldest = tx(builds.name)
    .select('tenant_id', 'id')
    .where({ status: 'pending' })
    .whereRaw('coalesce(lease_until, 0) <= ?', [now])
    .orderBy(['created_at', 'id'])
    .limit(1);
  // SQLite has one writer at a time, and nothing to skip.
  if (isPostgres(tx)) void oldest.forUpdate().skipLocked();
  const [row]: Record<string, unknown>[] = await tx
    .with('oldest', oldest)
    .table(builds.name)
    .whereIn(['tenant_id', 'id'], tx.select('tenant_id', 'id').from('oldest'))
    .update({ lease_owner: owner, lease_until: now + leaseMs })
    .returning(builds.fields.map(({ column }) => column));
  return row && fromRow(builds, row);
}

/** Holds the lease until `leaseUntil`; `false`: it was lost, and the work is another's. */
export async function renewBuildLease(
  tx: Tx,
  { tenantId, id, owner, leaseUntil }: { tenantId: string; id: string; owner: string; leaseUntil: number },
): Promise<boolean> {
  const held = { tenantId, id, status: 'pending', leaseOwner: owner } as const;
  return (await updateRecords(tx, builds, held, { leaseUntil })) > 0;
}

export type BuildResult =
  { status: 'succeeded'; sha256: string; size: number } | { status: 'failed'; error: string };

/** Ends the build if `owner` still holds it; `false`: it was lost, and the result is dropped. */
export async function finishBuild(
  tx: Tx,
  { tenantId, id, owner }: { tenantId: string; id: string; owner: string },
  result: BuildResult,
): Promise<boolean> {
  const held = { tenantId, id, status: 'pending', leaseOwner: owner } as const;
  return (await updateRecords(tx, builds, held, { ...result, leaseOwner: null, leaseUntil: null })) > 0;
}
