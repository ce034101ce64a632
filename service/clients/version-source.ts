import type { Release } from '../../generator/model/sdk-model.ts';
import type { Tx } from '../store/database.ts';
import { findClientVersion, listReleases } from '../store/client-versions.ts';
import { findPackageVersionById } from '../store/package-versions.ts';
import { loopTurns } from '../work/turn-budget.ts';
import { type ClientSnapshot, type SnapshotMember, snapshotOf } from './client-snapshot.ts';
import { versionRefs } from './snapshot-sources.ts';

/** The source of the archives of a client version, as plain data that can be sent to a worker thread. */
export interface VersionSource {
  snapshot: ClientSnapshot;
  version: number;
  semver: string;
  goModulePrefix: string;
  /** `google.protobuf.FileDescriptorSet` by package version id. */
  descriptorSets: ReadonlyMap<string, Uint8Array>;
  /** Releases up to this version, newest first. */
  changelog: Release[];
}

interface VersionKey {
  tenantId: string;
  clientId: string;
  version: number;
}

/** Returns `undefined` if there is no such version. Call it outside transactions. */
export async function loadVersionSource(
  tx: Tx,
  { tenantId, clientId, version }: VersionKey,
  goModulePrefix: string,
): Promise<VersionSource | undefined> {
  const wanted = await findClientVersion(tx, tenantId, clientId, version);
  if (!wanted) return undefined;
  const snapshot = snapshotOf(wanted);
  return {
    snapshot,
    version,
    semver: wanted.semver,
    goModulePrefix,
    descriptorSets: await loadDescriptorSets(tx, snapshot.members),
    // Only `snapshotToJson` writes them.
    changelog: (await listReleases(tx, tenantId, clientId, version)) as unknown as Release[],
  };
}

/**
 * Loads the descriptor sets of the members' package versions, by version id. Call it outside transactions: the event loop gets turns
 * in between.
 */
export async function loadDescriptorSets(
  tx: Tx,
  members: readonly SnapshotMember[],
): Promise<Map<string, Uint8Array>> {
  const sets = new Map<string, Uint8Array>();
  for (const source of members.flatMap(versionRefs)) {
    if (sets.has(source.versionId)) continue;
    const found = await findPackageVersionById(tx, source.tenantId, source.versionId);
    if (!found)
      throw new Error(`package version ${source.versionId} is gone, and its types are never deleted`);
    sets.set(source.versionId, found.descriptorSet);
    await loopTurns.yieldIfSpent();
  }
  return sets;
}
