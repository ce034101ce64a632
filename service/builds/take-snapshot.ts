import { planRelease } from '../../generator/changes/plan-release.ts';
import { buildSurface } from '../../generator/model/build-surface.ts';
import type { Surface } from '../../generator/model/sdk-model.ts';
import type { ClientMember } from '../store/client-members.ts';
import type { Client } from '../store/clients.ts';
import type { Tx } from '../store/database.ts';
import { listNodes, type Node } from '../store/nodes.ts';
import { findPackageVersion } from '../store/package-versions.ts';
import { findPackage } from '../store/packages.ts';
import type { Tenant } from '../store/tenants.ts';
import type { ClientSnapshot, SnapshotMember } from './client-snapshot.ts';
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

async function freezeMembers(tx: Tx, members: readonly ClientMember[]): Promise<SnapshotMember[]> {
  const published = new Map<string, Map<string, Node>>();
  const frozen: SnapshotMember[] = [];
  for (const member of members) {
    const { alias, packageName, packageVersion, nodeUlid } = pinOf(member);
    const pinned = `${packageName} ${packageVersion}`;
    const nodes = published.get(pinned) ?? (await nodesOf(tx, packageName, packageVersion));
    published.set(pinned, nodes);
    const node = nodes.get(nodeUlid);
    if (node?.inputMessage == null || node.outputMessage === null) {
      throw new Error(`member "${alias}" pins ${pinned}, which has no node ${nodeUlid} with message types`);
    }
    frozen.push({
      type: 'node',
      alias,
      mode: node.mode,
      pin: { package: packageName, version: packageVersion, node: node.name, ulid: node.id },
      comment: node.description,
      input: node.inputMessage,
      output: node.outputMessage,
      source: { tenantId: node.tenantId, versionId: node.versionId },
    });
  }
  return frozen;
}

/** Node members have all of a pin; flow members, which have none, can't be added yet. */
function pinOf({ alias, packageName, packageVersion, nodeUlid }: ClientMember) {
  return {
    alias,
    packageName: packageName ?? '',
    packageVersion: packageVersion ?? '',
    nodeUlid: nodeUlid ?? '',
  };
}

/** By ULID. Packages and their versions are never deleted, so a pin always leads to them. */
async function nodesOf(tx: Tx, packageName: string, packageVersion: string): Promise<Map<string, Node>> {
  const [handle = '', name = ''] = packageName.split('/');
  const owner = await findPackage(tx, handle, name);
  const version = owner && (await findPackageVersion(tx, owner.tenantId, owner.id, packageVersion));
  const nodes = version ? await listNodes(tx, version.tenantId, version.id) : [];
  return new Map(nodes.map((node) => [node.id, node]));
}
