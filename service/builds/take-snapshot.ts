import { planRelease } from '../../generator/changes/plan-release.ts';
import { buildSurface } from '../../generator/model/build-surface.ts';
import type { Surface } from '../../generator/model/sdk-model.ts';
import type { ClientMember } from '../store/client-members.ts';
import type { Client } from '../store/clients.ts';
import type { Tx } from '../store/database.ts';
import type { Tenant } from '../store/tenants.ts';
import type { ClientSnapshot, SnapshotMember } from './client-snapshot.ts';
import { freezeMembers } from './freeze-members.ts';
import { memberSources } from './member-sources.ts';
import { loadDescriptorSets } from './version-source.ts';

export interface SnapshotRequest {
  tenant: Tenant;
  client: Client;
  members: readonly ClientMember[];
  /** Absent before the first version. */
  previous: { semver: string; snapshot: ClientSnapshot } | undefined;
}

/** Freezes a client's members, and says under which semantic version (SDK.md, Package names and versions). */
export async function takeSnapshot(
  tx: Tx,
  { tenant, client, members, previous }: SnapshotRequest,
): Promise<{ semver: string; snapshot: ClientSnapshot }> {
  const frozen = await freezeMembers(tx, members);
  const { semver, release, firstSeen } = planRelease(
    client.latestVersion + 1,
    await surfaceOf(tx, frozen),
    previous && {
      surface: await surfaceOf(tx, previous.snapshot.members),
      semver: previous.semver,
      firstSeen: previous.snapshot.firstSeen,
    },
  );
  const { name, slug, description } = client;
  return {
    semver,
    snapshot: {
      client: { name, slug, description, handle: tenant.handle },
      members: frozen,
      release,
      firstSeen,
    },
  };
}

async function surfaceOf(tx: Tx, members: readonly SnapshotMember[]): Promise<Surface> {
  return buildSurface(memberSources(members, await loadDescriptorSets(tx, members)));
}
