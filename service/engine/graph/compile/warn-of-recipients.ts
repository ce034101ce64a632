import { recipientText } from '../../../nodes/secret-recipients.ts';
import type { Tx } from '../../../store/database.ts';
import type { CompiledNode } from '../compiled-graph.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { flowRecipients } from '../flow-recipients.ts';

/** Warns about every node that sends secrets of the tenant to a container of another tenant. */
export async function warnOfRecipients(
  tx: Tx,
  tenantId: string,
  nodes: readonly CompiledNode[],
): Promise<Diagnostic[]> {
  const recipients = await flowRecipients(tx, tenantId, nodes);
  return recipients.map((recipient) => ({
    code: 'secret_shared',
    node: recipient.node,
    message: recipientText(recipient),
  }));
}
