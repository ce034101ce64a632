import type { Client } from './clients.ts';
import { isPostgres, type Tx } from './database.ts';
import { findRecord, insertRecords, updateRecords } from './records.ts';
import { bigInteger, columnNames, defineTable, fromRow, integer, nullable, text } from './table.ts';

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

/** Stores a build. Fails with a violation of `buildTaken` if the version already has a build in its language. */
export async function insertBuild(tx: Tx, build: ClientBuild): Promise<void> {
  await insertRecords(tx, builds, [build]);
}

/** Returns the build in any status, or `undefined` if none was requested. */
export async function findBuild(
  tx: Tx,
  tenantId: string,
  clientId: string,
  version: number,
  language: string,
): Promise<ClientBuild | undefined> {
  return findRecord(tx, builds, { tenantId, clientId, version, language });
}

/** Versions of one part of a list of builds. */
const partVersions = 20;

/** Reads the builds of a client in parts: newest version first, and within a version in the order of the requests. */
export async function* readBuilds(
  tx: Tx,
  { tenantId, id: clientId, latestVersion }: Pick<Client, 'tenantId' | 'id' | 'latestVersion'>,
): AsyncGenerator<ClientBuild[], void, undefined> {
  for (let newest = latestVersion; newest > 0; newest -= partVersions) {
    const rows = (await tx(builds.name)
      .select(columnNames(builds))
      .where({ tenant_id: tenantId, client_id: clientId })
      .whereBetween('version', [newest - partVersions + 1, newest])
      .orderBy([{ column: 'version', order: 'desc' }, 'created_at', 'id'])) as Record<string, unknown>[];
    yield rows.map((row) => fromRow(builds, row));
  }
}

/** Counts the tenant's builds that are queued or in progress. */
export async function countPendingBuilds(tx: Tx, tenantId: string): Promise<number> {
  const row = await tx(builds.name)
    .where({ tenant_id: tenantId, status: 'pending' })
    .count({ count: '*' })
    .first<{ count: number | string }>();
  return Number(row.count);
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
  /** Tenant of the previous claim. Claims take tenants in turn, so that one with many builds does not delay the others. */
  after?: string | undefined;
}

/**
 * Claims the oldest pending build of the next tenant that has one without a valid lease. Concurrent calls get different builds.
 */
export async function claimBuild(
  tx: Tx,
  { owner, now, leaseMs, after = '' }: Claim,
): Promise<ClientBuild | undefined> {
  const next = tx(builds.name)
    .select('tenant_id', 'id')
    .where({ status: 'pending' })
    .whereRaw('coalesce(lease_until, 0) <= ?', [now])
    .orderByRaw('case when tenant_id > ? then 0 else 1 end, tenant_id, created_at, id', [after])
    .limit(1);
  // SQLite has one writer at a time, so no row is locked.
  if (isPostgres(tx)) void next.forUpdate().skipLocked();
  const [row]: Record<string, unknown>[] = await tx
    .with('next', next)
    .table(builds.name)
    .whereIn(['tenant_id', 'id'], tx.select('tenant_id', 'id').from('next'))
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

/** How a build ended. The fields are those of `ClientBuild`. */
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
