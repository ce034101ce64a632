import type { Tx } from '../store/database.ts';
import { findInstance } from '../store/instances.ts';
import { loopTurns } from '../work/turn-budget.ts';

/** A node with the secrets that its calls carry. `tenantId` and `id` identify the published node. */
interface SecretNode {
  tenantId: string;
  id: string;
  /** Name in texts: the node's id in a flow, otherwise the name of the published node. */
  name: string;
  /** `<handle>/<package>` */
  packageName: string;
  requiredSecrets: readonly string[];
}

/** A tenant whose container receives secrets of the caller. */
export interface SecretRecipient {
  node: string;
  packageName: string;
  /** Handle of the tenant that runs the container. */
  owner: string;
  secrets: readonly string[];
}

/**
 * Returns the nodes whose calls carry secrets to a container of a tenant other than `tenantId`. Without `tenantId`, returns every
 * node with secrets. Calls to an Instance reach the container of its generic node.
 */
export async function secretRecipients(
  tx: Tx,
  tenantId: string | undefined,
  nodes: readonly SecretNode[],
): Promise<SecretRecipient[]> {
  const recipients: SecretRecipient[] = [];
  for (const { tenantId: owner, id, name, packageName, requiredSecrets: secrets } of nodes) {
    if (secrets.length === 0) continue;
    // SQLite responds synchronously, so the whole loop would run in one turn of the event loop.
    await loopTurns.yieldIfSpent();
    const instance = await findInstance(tx, owner, id);
    if ((instance?.genericTenantId ?? owner) === tenantId) continue;
    // The generic package may be private, so only its owner is named.
    const handle = (instance?.genericPackage ?? packageName).split('/')[0] ?? '';
    recipients.push({ node: name, packageName, owner: handle, secrets });
  }
  return recipients;
}

/** Returns the warning for the tenant whose secrets a container receives. */
export function recipientText({ node, packageName, owner, secrets }: SecretRecipient): string {
  const names = secrets.map((name) => `"${name}"`).join(', ');
  const named = secrets.length === 1 ? `secret ${names}` : `secrets ${names}`;
  return `node "${node}" of ${packageName} sends your ${named} to a container of the tenant "${owner}"`;
}
