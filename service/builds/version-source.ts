import type { Release } from '../../generator/model/sdk-model.ts';
import type { Tx } from '../store/database.ts';
import { listClientVersions } from '../store/client-versions.ts';
import { findPackageVersionById } from '../store/package-versions.ts';
import { type ClientSnapshot, type SnapshotMember, snapshotOf } from './client-snapshot.ts';
import { versionRefs } from './member-sources.ts';

/** Everything that the archives of one client version are made from, as plain data that may cross to a worker. */
export interface VersionSource {
  snapshot: ClientSnapshot;
  version: number;
  semver: string;
  goModulePrefix: string;
  /** `google.protobuf.FileDescriptorSet` by package version id. */
  descriptorSets: ReadonlyMap<string, Uint8Array>;
  /** Newest first, this version included, nothing later: the same for every build of it. */
  changelog: Release[];
}

export interface VersionKey {
  tenantId: string;
  clientId: string;
  version: number;
}

/** `undefined`: there is no such version (any more). */
export async function loadVersionSource(
  tx: Tx,
  { tenantId, clientId, version }: VersionKey,
  goModulePrefix: string,
): Promise<VersionSource | undefined> {
  const versions = await listClientVersions(tx, tenantId, clientId);
  const wanted = versions.find((one) => one.version === version);
  if (!wanted) return undefined;
  const snapshot = snapshotOf(wanted);
  const releases = versions.filter((one) => one.version <= version).reverse();
  return {
    snapshot,
    version,
    semver: wanted.semver,
    goModulePrefix,
    descriptorSets: await loadDescriptorSets(tx, snapshot.members),
    changelog: releases.map((one) => snapshotOf(one).release),
  };
}

/** Descriptor sets of the members' package versions, each once. */
export async function loadDescriptorSets(
  tx: Tx,
  members: readonly SnapshotMember[],
): Promise<Map<string, Uint8Array>> {
  const sets = new Map<string, Uint8Array>();
  for (const source of members.flatMap(versionRefs)) {
    if (sets.has(source.versionId)) continue;
    const found = await findPackageVersionById(tx, source.tenantId, source.versionId);
    if (!found)
      throw new Error(`package version ${source.versionId} is gone, and versions are never deleted`);
    sets.set(source.versionId, found.descriptorSet);
  }
  return sets;
}
