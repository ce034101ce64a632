import { planRelease } from '../../generator/changes/plan-release.ts';
import { buildSurface } from '../../generator/model/build-surface.ts';
import type { NamedSurface } from '../../generator/model/sdk-model.ts';
import type { ClientMember } from '../store/client-members.ts';
import type { Client } from '../store/clients.ts';
import type { Tx } from '../store/database.ts';
import type { Tenant } from '../store/tenants.ts';
import type { ClientSnapshot, SnapshotMember } from './client-snapshot.ts';
import { snapshotMembers } from './snapshot-members.ts';
import { memberSources } from './snapshot-sources.ts';
import { loadDescriptorSets } from './version-source.ts';

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
  { tenant, client, members, previous }: SnapshotRequest,
): Promise<{ semver: string; snapshot: ClientSnapshot }> {
  const snapshots = await snapshotMembers(tx, members);
  const { semver, release, firstSeen } = planRelease(
    client.latestVersion + 1,
    await surfaceOf(tx, client.slug, snapshots),
    previous && {
      surface: await surfaceOf(tx, previous.snapshot.client.slug, previous.snapshot.members),
      semver: previous.semver,
      firstSeen: previous.snapshot.firstSeen,
    },
  );
  const { name, slug, description, metadata } = client;
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

async function surfaceOf(tx: Tx, slug: string, members: readonly SnapshotMember[]): Promise<NamedSurface> {
  return { slug, ...buildSurface(memberSources(members, await loadDescriptorSets(tx, members))) };
}
