import type { Knex } from 'knex';
import { loopTurns } from '../work/turn-budget.ts';
import type { Tx } from './database.ts';
import { findRecord, insertRecords, updateRecords } from './records.ts';
import { bigInteger, bytes, columnNames, defineTable, fromRow, json, nullable, text } from './table.ts';

/**
 * What the service knows about the container of a deployed version:
 * - `verified`: it describes the nodes that it serves, and they match the publication.
 * - `unverified`: it does not describe what it serves.
 * - `mismatch`: it serves something else.
 * - `pending`: it has not responded yet.
 */
export type Verification = 'verified' | 'unverified' | 'mismatch' | 'pending';

/** A package version without its sources, as in lists. */
export interface PackageVersionSummary {
  tenantId: string;
  id: string;
  packageId: string;
  /** Semver. */
  version: string;
  description: string;
  /** Hash of the published content. Only the same content may be published again under the same version. */
  contentHash: string;
  /** `grpc://host:port` of the node container, or `null` if not deployed. */
  endpoint: string | null;
  /** The encrypted token that the container expects, or `null` for none. */
  sealedToken: Uint8Array | null;
  /** `null` if the version is not deployed, or its container has not been queried. */
  verification: Verification | null;
  createdAt: number;
}

/**
 * A package version with its sources and types. They never change once published; those of a shell package grow with each
 * Instance. The endpoint, its token and the verification may change.
 */
export interface PackageVersion extends PackageVersionSummary {
  /** Source text by path. */
  protos: Record<string, string>;
  /** `google.protobuf.FileDescriptorSet` with source info, compiled from `protos`. */
  descriptorSet: Uint8Array;
}

/** A row of the table. The row of a deleted version remains, so that its number and its types stay known. */
interface StoredVersion extends PackageVersion {
  /** `null` if the version is not deleted. */
  deletedAt: number | null;
}

const summaries = defineTable<PackageVersionSummary>('package_versions', {
  tenantId: text(),
  id: text(),
  packageId: text(),
  version: text(),
  description: text(),
  contentHash: text(),
  endpoint: nullable(text()),
  sealedToken: nullable(bytes()),
  verification: nullable(text()),
  createdAt: bigInteger(),
});

const storedVersions = defineTable<StoredVersion>('package_versions', {
  ...summaries.columns,
  protos: json(),
  descriptorSet: bytes(),
  deletedAt: nullable(bigInteger()),
});

/**
 * Stores a version. Fails with a unique violation if the package has or had this version: the number of a deleted version stays
 * taken.
 */
export async function insertPackageVersion(tx: Tx, record: PackageVersion): Promise<void> {
  await insertRecords(tx, storedVersions, [{ ...record, deletedAt: null }]);
}

/** Finds a version that is not deleted. */
export async function findPackageVersion(
  tx: Tx,
  tenantId: string,
  packageId: string,
  version: string,
): Promise<PackageVersion | undefined> {
  return findRecord(tx, storedVersions, { tenantId, packageId, version, deletedAt: null });
}

/** Reports whether the package had this version, and it was deleted. */
export async function isVersionDeleted(
  tx: Tx,
  tenantId: string,
  packageId: string,
  version: string,
): Promise<boolean> {
  const found = await findRecord(tx, storedVersions, { tenantId, packageId, version });
  return found !== undefined && found.deletedAt !== null;
}

/** Finds a version by its id, even a deleted one: data recorded with its types stays readable. */
export async function findPackageVersionById(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<(PackageVersion & { deletedAt: number | null }) | undefined> {
  return findRecord(tx, storedVersions, { tenantId, id });
}

/** Finds a version that is not deleted, without its sources. */
export async function findVersionSummary(
  tx: Tx,
  tenantId: string,
  packageId: string,
  version: string,
): Promise<PackageVersionSummary | undefined> {
  const [found] = await readSummaries(tx, [{ tenantId, id: packageId }], (query) => query.where({ version }));
  return found;
}

/** Lists versions in the order in which they were published, without deleted ones. Call it outside transactions. */
export async function listPackageVersions(
  tx: Tx,
  tenantId: string,
  packageId: string,
): Promise<PackageVersionSummary[]> {
  return inOrder(await readVersions(tx, { tenantId, id: packageId }));
}

/**
 * Lists the versions of several packages in the order in which they were published, without deleted ones. Call it
 * outside transactions: it yields to other work between parts.
 */
export async function listVersionsOf(
  tx: Tx,
  owners: readonly PackageKey[],
): Promise<PackageVersionSummary[]> {
  const found: PackageVersionSummary[] = [];
  for (const group of await groupsOf(tx, owners)) {
    const [owner] = group;
    const isSingle = group.length === 1 && owner !== undefined;
    found.push(...(isSingle ? await readVersions(tx, owner) : await readSummaries(tx, group)));
    await loopTurns.yieldIfSpent();
  }
  return inOrder(found);
}

interface PackageKey {
  tenantId: string;
  id: string;
}

/** Versions per statement. A package may have thousands, and SQLite reads them on the main thread. */
const versionsAtOnce = 1_000;

/** Groups packages that have few versions in total. A package with many versions is a group of its own. */
async function groupsOf(tx: Tx, owners: readonly PackageKey[]): Promise<PackageKey[][]> {
  const counts = await whereOwnedBy(tx(summaries.name), owners)
    .select('package_id')
    .groupBy('package_id')
    .count<{ package_id: string; count: number | string }[]>({ count: '*' });
  const countOf = new Map(counts.map((row) => [row.package_id, Number(row.count)]));
  const groups: PackageKey[][] = [];
  let versions = Infinity;
  for (const owner of owners) {
    const count = countOf.get(owner.id) ?? 0;
    if (versions + count > versionsAtOnce) {
      groups.push([]);
      versions = 0;
    }
    groups.at(-1)?.push(owner);
    versions += count;
  }
  return groups;
}

/** Reads the versions of a package in parts. */
async function readVersions(tx: Tx, owner: PackageKey): Promise<PackageVersionSummary[]> {
  const found: PackageVersionSummary[] = [];
  for (;;) {
    const last = found.at(-1);
    const part = await readSummaries(tx, [owner], (query) => {
      if (last) void query.where('version', '>', last.version);
      return query.orderBy('version').limit(versionsAtOnce);
    });
    found.push(...part);
    if (part.length < versionsAtOnce) return found;
    await loopTurns.yieldIfSpent();
  }
}

async function readSummaries(
  tx: Tx,
  owners: readonly PackageKey[],
  narrow = (query: Knex.QueryBuilder): Knex.QueryBuilder => query,
): Promise<PackageVersionSummary[]> {
  const query = whereOwnedBy(tx(summaries.name), owners).select(columnNames(summaries));
  const rows = (await narrow(query).whereNull('deleted_at')) as Record<string, unknown>[];
  return rows.map((row) => fromRow(summaries, row));
}

function whereOwnedBy(query: Knex.QueryBuilder, owners: readonly PackageKey[]): Knex.QueryBuilder {
  return query.whereIn(
    ['tenant_id', 'package_id'],
    owners.map(({ tenantId, id }) => [tenantId, id]),
  );
}

function inOrder(versions: PackageVersionSummary[]): PackageVersionSummary[] {
  return versions.sort((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));
}

type DeploymentDetails = Pick<PackageVersion, 'verification' | 'sealedToken'>;

/**
 * Deploys the version at an endpoint, or undeploys it with `null`. Without a token, the deployment has none.
 *
 * @returns false if the version is deleted
 */
export async function setEndpoint(
  tx: Tx,
  tenantId: string,
  id: string,
  endpoint: string | null,
  { verification = null, sealedToken = null }: Partial<DeploymentDetails> = {},
): Promise<boolean> {
  const living = { tenantId, id, deletedAt: null };
  return (await updateRecords(tx, storedVersions, living, { endpoint, verification, sealedToken })) === 1;
}

/**
 * Stores the verification of the container at an endpoint. Does nothing if the version has been deployed elsewhere in
 * the meantime.
 */
export async function setVerification(
  tx: Tx,
  version: Pick<PackageVersion, 'tenantId' | 'id' | 'endpoint'>,
  verification: Verification,
): Promise<void> {
  await updateRecords(tx, storedVersions, version, { verification });
}

/**
 * Adds the types of another Instance to a version of Instances. Existing types do not change.
 *
 * @returns false if the version has changed since `read`, or is deleted
 */
export async function growPackageVersion(
  tx: Tx,
  read: PackageVersion,
  grown: Pick<PackageVersion, 'contentHash' | 'protos' | 'descriptorSet'>,
): Promise<boolean> {
  const { tenantId, id, contentHash } = read;
  const unchanged = { tenantId, id, contentHash, deletedAt: null };
  return (await updateRecords(tx, storedVersions, unchanged, grown)) === 1;
}
