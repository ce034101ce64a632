import type { MemberBody } from '../../specs/operations/client-shapes.ts';
import { invalidMember, memberNotResolved } from '../errors/client-errors.ts';
import { mockedFlowPublished } from '../errors/flow-errors.ts';
import { nameList, noSuchNodeText } from '../errors/name-list.ts';
import { latestVersion } from '../nodes/latest-version.ts';
import type { ClientMember } from '../store/client-members.ts';
import type { Tx } from '../store/database.ts';
import { findGraph } from '../store/graphs.ts';
import { findNodeByName, findNodeByUlid, listNodes, type Node } from '../store/nodes.ts';
import {
  findVersionSummary,
  listPackageVersions,
  type PackageVersionSummary,
} from '../store/package-versions.ts';
import { findPackage, type Package } from '../store/packages.ts';
import { memberAlias } from './member-alias.ts';

/** A requested member, with its node or flow pinned. */
export type ResolvedMember = Pick<
  ClientMember,
  'memberType' | 'alias' | 'packageName' | 'packageVersion' | 'nodeUlid' | 'artifactId'
>;

/** The latest versions of packages, by their ids, that a request has looked up. A package may have thousands of versions. */
export type LatestVersions = Map<string, PackageVersionSummary | undefined>;

/**
 * Finds and pins the node or flow of a member. The tenant can use its own flows and packages, and public packages. The alias defaults
 * to the name of the node or flow.
 *
 * @param latest is shared by the members of a request
 * @throws ApiError 400 if a field is missing, the alias is malformed or the flow has mocks; 404 if the package, version, node or
 * flow does not exist
 */
export async function resolveMember(
  tx: Tx,
  tenantId: string,
  body: MemberBody,
  latest: LatestVersions = new Map(),
): Promise<ResolvedMember> {
  if (body.type === 'flow') return resolveFlow(tx, tenantId, body);
  if (!body.package) throw invalidMember('package is required for a node member, as "<handle>/<name>"');
  if (!body.node_name && !body.node_ulid) {
    throw invalidMember('node_name or node_ulid is required for a node member');
  }
  const owner = await visiblePackage(tx, tenantId, body.package);
  const version = await pinnedVersion(tx, owner, body.version ?? '', latest);
  const node = await nodeOf(tx, owner, version, body);
  if (node.kind === 'generic') {
    throw invalidMember(
      `node "${node.name}" is generic and has no message types: add a node of an Instance that binds it`,
    );
  }
  return {
    memberType: 'node',
    alias: memberAlias(body.alias, node.name),
    packageName: textOf(owner),
    packageVersion: version.version,
    nodeUlid: node.id,
    artifactId: null,
  };
}

/** Artifacts are immutable, so the id pins the flow. */
async function resolveFlow(tx: Tx, tenantId: string, body: MemberBody): Promise<ResolvedMember> {
  if (!body.artifact_id) throw invalidMember('artifact_id is required for a flow member');
  const graph = await findGraph(tx, tenantId, body.artifact_id);
  if (!graph) throw memberNotResolved('flow');
  if (graph.mockedNodes.length > 0) throw mockedFlowPublished();
  return {
    memberType: 'flow',
    alias: memberAlias(body.alias, graph.name),
    packageName: null,
    packageVersion: null,
    nodeUlid: null,
    artifactId: graph.artifactId,
  };
}

async function visiblePackage(tx: Tx, tenantId: string, fullName: string): Promise<Package> {
  const [handle = '', name = '', ...rest] = fullName.split('/');
  const found = rest.length === 0 ? await findPackage(tx, handle, name) : undefined;
  if (!found || (found.visibility === 'private' && found.tenantId !== tenantId)) {
    throw memberNotResolved('package');
  }
  return found;
}

/** Pins a version. Empty and `latest` select the latest version at this moment. */
async function pinnedVersion(
  tx: Tx,
  owner: Package,
  requested: string,
  latest: LatestVersions,
): Promise<PackageVersionSummary> {
  const isExact = requested !== '' && requested !== 'latest';
  if (!isExact && !latest.has(owner.id)) latest.set(owner.id, await latestOf(tx, owner));
  const found = isExact
    ? await findVersionSummary(tx, owner.tenantId, owner.id, requested)
    : latest.get(owner.id);
  if (found) return found;
  const names = (await listPackageVersions(tx, owner.tenantId, owner.id)).map((one) => one.version);
  const has = names.length === 0 ? 'none' : `no ${requested}: it has ${nameList(names)}`;
  throw memberNotResolved('package version', `${textOf(owner)} has ${has}`);
}

async function latestOf(tx: Tx, owner: Package): Promise<PackageVersionSummary | undefined> {
  const versions = await listPackageVersions(tx, owner.tenantId, owner.id);
  const wanted = latestVersion(versions.map((one) => one.version));
  return versions.find((one) => one.version === wanted);
}

async function nodeOf(
  tx: Tx,
  owner: Package,
  version: PackageVersionSummary,
  body: MemberBody,
): Promise<Node> {
  const found = body.node_ulid
    ? await findNodeByUlid(tx, body.node_ulid)
    : await findNodeByName(tx, version.tenantId, version.id, body.node_name ?? '');
  if (found?.versionId !== version.id || (body.node_name && body.node_name !== found.name)) {
    const names = (await listNodes(tx, version.tenantId, version.id)).map((node) => node.name);
    const place = `${textOf(owner)} ${version.version}`;
    const requested = { name: body.node_name, ulid: body.node_ulid };
    throw memberNotResolved('node', noSuchNodeText(place, requested, names));
  }
  return found;
}

function textOf({ handle, name }: Package): string {
  return `${handle}/${name}`;
}
