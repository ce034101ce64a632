import type { CompiledGraph } from '../engine/graph/compiled-graph.ts';
import { flowRecipients } from '../engine/graph/flow-recipients.ts';
import { recipientText, type SecretRecipient, secretRecipients } from '../nodes/secret-recipients.ts';
import { type ClientMember, listMembers } from '../store/client-members.ts';
import type { Tx } from '../store/database.ts';
import { findGraph } from '../store/graphs.ts';
import { findNodeByUlid } from '../store/nodes.ts';
import { similarAliases } from './member-alias.ts';

/**
 * Returns the warnings for each new member of a client: which secrets of the tenant another tenant will receive, and aliases that
 * differ so little from another one that SDKs have to number them.
 */
export async function memberWarnings(tx: Tx, members: readonly ClientMember[]): Promise<string[][]> {
  const [first] = members;
  if (!first) return [];
  const all = await listMembers(tx, first.tenantId, first.clientId);
  const similarTo = similarAliases(all.map(({ alias }) => alias));
  return Promise.all(
    members.map(async (member) => [
      ...(await recipientsOf(tx, member)).map(recipientText),
      ...similarTo(member.alias).map((other) => similarText(member.alias, other)),
    ]),
  );
}

function similarText(alias: string, other: string): string {
  return `alias "${alias}" differs from "${other}" by separators or case alone: SDKs tell the two apart by a number`;
}

async function recipientsOf(
  tx: Tx,
  { tenantId, artifactId, nodeUlid, packageName }: ClientMember,
): Promise<SecretRecipient[]> {
  if (artifactId !== null) {
    const graph = await findGraph(tx, tenantId, artifactId);
    // Only the compiler writes this column.
    const compiled = graph?.compiled as CompiledGraph | undefined;
    return compiled ? flowRecipients(tx, tenantId, compiled.nodes) : [];
  }
  const node = nodeUlid === null ? undefined : await findNodeByUlid(tx, nodeUlid);
  return node ? secretRecipients(tx, tenantId, [{ ...node, packageName: packageName ?? '' }]) : [];
}
