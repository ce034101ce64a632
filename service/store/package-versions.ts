import type { Tx } from './database.ts';
import { findRecord, insertRecords, listRecords, updateRecords } from './records.ts';
import { bytes, columnNames, defineTable, fromRow, integer, json, nullable, text } from './table.ts';

/** A version as lists show it: without its sources. */
export interface PackageVersionSummary {
  tenantId: string;
  id: string;
  packageId: string;
  /** Semver. */
  version: string;
  description: string;
  /** Hash of everything that was published: the same content may be published again, other content may not. */
  contentHash: string;
  /** `grpc://host:port` of its containers; `null`: not deployed. */
  endpoint: string | null;
  createdAt: number;
}

export interface PackageVersion extends PackageVersionSummary {
  /** Source text by path. */
  protos: Record<string, string>;
  /** `google.protobuf.FileDescriptorSet` with source info, compiled from `protos`. */
  descriptorSet: Uint8Array;
}

const summaries = defineTable<PackageVersionSummary>('package_versions', {
  tenantId: text(),
  id: text(),
  packageId: text(),
  version: text(),
  description: text(),
  contentHash: text(),
  endpoint: nullable(text()),
  createdAt: integer(),
});

const packageVersions = defineTable<PackageVersion>('package_versions', {
  ...summaries.columns,
  protos: json(),
  descriptorSet: bytes(),
});

/** Unique index that refuses a version that stands. */
export const packageVersionTaken = 'package_versions_tenant_id_package_id_version_unique';

export async function insertPackageVersion(tx: Tx, record: PackageVersion): Promise<void> {
  await insertRecords(tx, packageVersions, [record]);
}

export async function findPackageVersion(
  tx: Tx,
  tenantId: string,
  packageId: string,
  version: string,
): Promise<PackageVersion | undefined> {
  return findRecord(tx, packageVersions, { tenantId, packageId, version });
}

export async function findPackageVersionById(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<PackageVersion | undefined> {
  return findRecord(tx, packageVersions, { tenantId, id });
}

/** In the order of publishing. */
export async function listPackageVersions(
  tx: Tx,
  tenantId: string,
  packageId: string,
): Promise<PackageVersionSummary[]> {
  return listRecords(tx, summaries, { tenantId, packageId }, ['createdAt', 'id']);
}

/** Versions of several packages, each in the order of publishing. */
export async function listVersionsOf(
  tx: Tx,
  owners: readonly { tenantId: string; id: string }[],
): Promise<PackageVersionSummary[]> {
  const rows = (await tx(summaries.name)
    .select(columnNames(summaries))
    .whereIn(
      ['tenant_id', 'package_id'],
      owners.map(({ tenantId, id }) => [tenantId, id]),
    )
    .orderBy(['created_at', 'id'])) as Record<string, unknown>[];
  return rows.map((row) => fromRow(summaries, row));
}

/** Deploys the version at `endpoint`, or undeploys it with `null`. */
export async function setEndpoint(
  tx: Tx,
  tenantId: string,
  id: string,
  endpoint: string | null,
): Promise<void> {
  await updateRecords(tx, packageVersions, { tenantId, id }, { endpoint });
}

/**
 * Puts further nodes' types into a version that holds Instances, the one kind that grows; what stands in it stays as it is.
 *
 * @returns false when the version is not what `read` says any more
 */
export async function growPackageVersion(
  tx: Tx,
  read: PackageVersion,
  grown: Pick<PackageVersion, 'contentHash' | 'protos' | 'descriptorSet'>,
): Promise<boolean> {
  const { tenantId, id, contentHash } = read;
  return (await updateRecords(tx, packageVersions, { tenantId, id, contentHash }, grown)) === 1;
}
