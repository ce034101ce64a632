import type { PlannedRelease } from '../../generator/changes/plan-release.ts';
import type { ClientMember } from '../store/client-members.ts';
import type { Client } from '../store/clients.ts';
import type { Tx } from '../store/database.ts';
import type { Tenant } from '../store/tenants.ts';
import type { ClientSnapshot } from './client-snapshot.ts';
import type { VersionPlan } from './plan-version.ts';
import { snapshotMembers } from './snapshot-members.ts';
import { loadDescriptorSets } from './version-source.ts';

/** Plans a version on another thread. */
export type PlanVersion = (plan: VersionPlan) => Promise<PlannedRelease>;

interface SnapshotRequest {
  tenant: Tenant;
  client: Client;
  members: readonly ClientMember[];
  /** `undefined` before the first version. */
  previous: { semver: string; snapshot: ClientSnapshot } | undefined;
}

/** Takes a snapshot of a client, and computes its semantic version from the changes since the previous one. */
export async function takeSnapshot(
  tx: Tx,
  plan: PlanVersion,
  { tenant, client, members, previous }: SnapshotRequest,
): Promise<{ semver: string; snapshot: ClientSnapshot }> {
  const { name, slug, description, metadata, latestVersion } = client;
  const snapshots = await snapshotMembers(tx, members);
  const { semver, release, firstSeen } = await plan({
    slug,
    members: snapshots,
    version: latestVersion + 1,
    previous: previous && {
      slug: previous.snapshot.client.slug,
      members: previous.snapshot.members,
      semver: previous.semver,
      firstSeen: previous.snapshot.firstSeen,
    },
    descriptorSets: await loadDescriptorSets(tx, [...snapshots, ...(previous?.snapshot.members ?? [])]),
  });
  return {
    semver,
    snapshot: {
      client: { name, slug, description, handle: tenant.handle, metadata },
      members: snapshots,
      release,
      firstSeen,
    },
  };
}
