import type { CompiledGraph } from '../engine/graph/compiled-graph.ts';
import { flowRecipients } from '../engine/graph/flow-recipients.ts';
import { recipientText, type SecretRecipient, secretRecipients } from '../nodes/secret-recipients.ts';
import type { ClientMember } from '../store/client-members.ts';
import type { Tx } from '../store/database.ts';
import { findGraph } from '../store/graphs.ts';
import { findNodeByUlid } from '../store/nodes.ts';

/** Returns what the tenant should know about a member: which of its secrets another tenant will receive. */
export async function memberWarnings(tx: Tx, member: ClientMember): Promise<string[]> {
  return (await recipientsOf(tx, member)).map(recipientText);
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
