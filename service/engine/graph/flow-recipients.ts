import { secretRecipients, type SecretRecipient } from '../../nodes/secret-recipients.ts';
import type { Tx } from '../../store/database.ts';
import type { CompiledNode } from './compiled-graph.ts';

/** Returns the nodes of a flow that send secrets of its tenant to another tenant. Mocked nodes are not called and send none. */
export async function flowRecipients(
  tx: Tx,
  tenantId: string,
  nodes: readonly CompiledNode[],
): Promise<SecretRecipient[]> {
  const called = nodes
    .filter(({ mock }) => mock === undefined)
    .map(({ id: name, ownerTenantId, nodeUlid: id, packageName, requiredSecrets }) => ({
      tenantId: ownerTenantId,
      id,
      name,
      packageName,
      requiredSecrets,
    }));
  return secretRecipients(tx, tenantId, called);
}
