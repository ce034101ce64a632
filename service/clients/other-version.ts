import { type ClientMember, listMembers } from '../store/client-members.ts';
import type { Tx } from '../store/database.ts';
import { findGraph } from '../store/graphs.ts';
import { findNodeByUlid } from '../store/nodes.ts';

/**
 * Finds the member of a client that has the alias of a new one, if it is another version of the same node or flow. Flows with the
 * same name count as versions of one flow.
 *
 * @returns its alias, and a description of it
 */
export async function otherVersion(
  tx: Tx,
  member: ClientMember,
): Promise<{ alias: string; holder: string } | undefined> {
  const { tenantId, clientId, alias } = member;
  const members = await listMembers(tx, tenantId, clientId);
  const current = members.find((each) => each.alias === alias);
  const isKept = current?.nodeUlid === member.nodeUlid && current.artifactId === member.artifactId;
  if (!current || isKept || (await sourceOf(tx, current)) !== (await sourceOf(tx, member))) return undefined;
  const holder =
    current.artifactId === null
      ? `version ${current.packageVersion ?? ''} of the same node`
      : `another version of the same flow, ${current.artifactId}`;
  return { alias, holder };
}

/** What the versions of a node or a flow have in common. */
async function sourceOf(
  tx: Tx,
  { tenantId, packageName, nodeUlid, artifactId }: ClientMember,
): Promise<string> {
  if (artifactId !== null) return `flow ${(await findGraph(tx, tenantId, artifactId))?.name ?? artifactId}`;
  const node = nodeUlid === null ? undefined : await findNodeByUlid(tx, nodeUlid);
  return `node ${packageName ?? ''}/${node?.name ?? ''}`;
}
