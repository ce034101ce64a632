import type { CompiledGraph } from '../engine/graph/compiled-graph.ts';
import type { ClientMember } from '../store/client-members.ts';
import type { Tx } from '../store/database.ts';
import { findGraph } from '../store/graphs.ts';
import { entrySample } from '../nodes/entry-sample.ts';
import { listNodes, type Node } from '../store/nodes.ts';
import { findPackageVersion } from '../store/package-versions.ts';
import { findPackage } from '../store/packages.ts';
import { loopTurns } from '../work/turn-budget.ts';
import type { NamedVersionRef, SnapshotFlow, SnapshotMember, SnapshotNode } from './client-snapshot.ts';

/** Reads the nodes and flows of members for a snapshot. */
export async function snapshotMembers(tx: Tx, members: readonly ClientMember[]): Promise<SnapshotMember[]> {
  const published = new Map<string, Map<string, Node>>();
  const frozen: SnapshotMember[] = [];
  for (const member of members) {
    // SQLite responds synchronously, so the whole loop would run in one turn of the event loop.
    await loopTurns.yieldIfSpent();
    frozen.push(
      member.memberType === 'flow' ? await freezeFlow(tx, member) : await freezeNode(tx, member, published),
    );
  }
  return frozen;
}

async function freezeFlow(tx: Tx, { tenantId, alias, artifactId }: ClientMember): Promise<SnapshotFlow> {
  const graph = artifactId === null ? undefined : await findGraph(tx, tenantId, artifactId);
  if (!graph) throw new Error(`member "${alias}" pins flow ${artifactId}, and flows are never deleted`);
  // Only the compiler writes this column.
  const compiled = graph.compiled as unknown as CompiledGraph;
  const sample = await entrySample(tx, compiled);
  return {
    type: 'flow',
    alias,
    mode: compiled.mode,
    pin: { artifact: compiled.artifactId, graph: compiled.graphId },
    comment: compiled.description,
    input: compiled.inputMessage,
    output: compiled.outputMessage,
    inputSource: versionOfNode(compiled, compiled.entry),
    outputSource: versionOfNode(compiled, compiled.terminal),
    ...(sample !== null && { sample }),
  };
}

/** Returns the package version of a node of the flow. */
export function versionOfNode({ nodes, graphId }: CompiledGraph, nodeId: string): NamedVersionRef {
  const node = nodes.find(({ id }) => id === nodeId);
  if (!node) throw new Error(`flow ${graphId} has no node "${nodeId}"`);
  return {
    package: node.packageName,
    version: node.version,
    tenantId: node.ownerTenantId,
    versionId: node.versionId,
  };
}

/** @param published nodes of the package versions read so far, by package and version */
async function freezeNode(
  tx: Tx,
  member: ClientMember,
  published: Map<string, Map<string, Node>>,
): Promise<SnapshotNode> {
  const { alias, packageName, packageVersion, nodeUlid } = pinOf(member);
  const pinned = `${packageName} ${packageVersion}`;
  const nodes = published.get(pinned) ?? (await nodesOf(tx, packageName, packageVersion));
  published.set(pinned, nodes);
  const node = nodes.get(nodeUlid);
  if (node?.inputMessage == null || node.outputMessage === null) {
    throw new Error(`member "${alias}" pins ${pinned}, which has no node ${nodeUlid} with message types`);
  }
  return {
    type: 'node',
    alias,
    mode: node.mode,
    pin: { package: packageName, version: packageVersion, node: node.name, ulid: node.id },
    comment: node.description,
    input: node.inputMessage,
    output: node.outputMessage,
    source: { tenantId: node.tenantId, versionId: node.versionId },
    ...(node.sample !== null && { sample: node.sample }),
  };
}

/** Node members have every field of the pin. */
function pinOf({ alias, packageName, packageVersion, nodeUlid }: ClientMember) {
  return {
    alias,
    packageName: packageName ?? '',
    packageVersion: packageVersion ?? '',
    nodeUlid: nodeUlid ?? '',
  };
}

/** Returns the nodes of a package version by ULID. A version that a member pins cannot be deleted. */
async function nodesOf(tx: Tx, packageName: string, packageVersion: string): Promise<Map<string, Node>> {
  const [handle = '', name = ''] = packageName.split('/');
  const owner = await findPackage(tx, handle, name);
  const version = owner && (await findPackageVersion(tx, owner.tenantId, owner.id, packageVersion));
  const nodes = version ? await listNodes(tx, version.tenantId, version.id) : [];
  return new Map(nodes.map((node) => [node.id, node]));
}
