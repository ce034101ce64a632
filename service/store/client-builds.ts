import { isPostgres, type Tx } from './database.ts';
import { findRecord, insertRecords, listRecords, updateRecords } from './records.ts';
import { bigInteger, defineTable, fromRow, integer, nullable, text } from './table.ts';

/** The build of a client version in one language. The pending rows are the queue of builds. */
export interface ClientBuild {
  tenantId: string;
  id: string;
  clientId: string;
  version: number;
  language: string;
  status: 'pending' | 'succeeded' | 'failed';
  /** Why the build failed. */
  error: string | null;
  /** Hash of the archive in lower-case hex, and its size in bytes, if the build succeeded. */
  sha256: string | null;
  size: number | null;
  createdAt: number;
  /** The claim that works on the build, and the time from which another worker may claim it. */
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
  size: nullable(bigInteger()),
  createdAt: bigInteger(),
  leaseOwner: nullable(text()),
  leaseUntil: nullable(bigInteger()),
});

/** Unique index over version and language. */
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

/** Lists builds by version, then by time of the request. */
export async function listBuilds(tx: Tx, tenantId: string, clientId: string): Promise<ClientBuild[]> {
  return listRecords(tx, builds, { tenantId, clientId }, ['version', 'createdAt', 'id']);
}

/**
 * Queues a build again, unless it has changed since it was read: another request may have queued it, or a worker may have built
 * it. A worker that still works on it loses its lease.
 */
export async function resetBuild(
  tx: Tx,
  { tenantId, id, status, sha256 }: Pick<ClientBuild, 'tenantId' | 'id' | 'status' | 'sha256'>,
): Promise<void> {
  await updateRecords(
    tx,
    builds,
    { tenantId, id, status, sha256 },
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

interface Claim {
  /** Unique for each claim, so that a worker notices when another claim has replaced its own. */
  owner: string;
  now: number;
  leaseMs: number;
}

/** Claims the oldest pending build of any tenant without a valid lease, if there is one. Concurrent calls get different builds. */
export async function claimBuild(tx: Tx, { owner, now, leaseMs }: Claim): Promise<ClientBuild | undefined> {
  const oldest = tx(builds.name)
    .select('tenant_id', 'id')
    .where({ status: 'pending' })
    .whereRaw('coalesce(lease_until, 0) <= ?', [now])
    .orderBy(['created_at', 'id'])
    .limit(1);
  // SQLite has one writer at a time, so no row is locked.
  if (isPostgres(tx)) void oldest.forUpdate().skipLocked();
  const [row]: Record<string, unknown>[] = await tx
    .with('oldest', oldest)
    .table(builds.name)
    .whereIn(['tenant_id', 'id'], tx.select('tenant_id', 'id').from('oldest'))
    .update({ lease_owner: owner, lease_until: now + leaseMs })
    .returning(builds.fields.map(({ column }) => column));
  return row && fromRow(builds, row);
}

/** Extends the lease to `leaseUntil`. Returns false if another worker has claimed the build. */
export async function renewBuildLease(
  tx: Tx,
  { tenantId, id, owner, leaseUntil }: { tenantId: string; id: string; owner: string; leaseUntil: number },
): Promise<boolean> {
  const held = { tenantId, id, status: 'pending', leaseOwner: owner } as const;
  return (await updateRecords(tx, builds, held, { leaseUntil })) > 0;
}

export type BuildResult =
  { status: 'succeeded'; sha256: string; size: number } | { status: 'failed'; error: string };

/** Stores the result if `owner` still holds the lease. Returns false otherwise. */
export async function finishBuild(
  tx: Tx,
  { tenantId, id, owner }: { tenantId: string; id: string; owner: string },
  result: BuildResult,
): Promise<boolean> {
  const held = { tenantId, id, status: 'pending', leaseOwner: owner } as const;
  return (await updateRecords(tx, builds, held, { ...result, leaseOwner: null, leaseUntil: null })) > 0;
}
