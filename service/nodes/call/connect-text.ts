import { notConnected } from '../container/invoke-outcome.ts';
import type { CallableNode } from './callable-node.ts';
import type { NodeTarget } from './target.ts';

/** A node that could not be called, and who called it. */
interface Unconnected {
  /** The caller's name for the node: its name, or its id in a flow. */
  name: string;
  node: Pick<CallableNode, 'ownerTenantId'>;
  target: Pick<NodeTarget, 'endpoint' | 'node' | 'package' | 'binding'>;
  tenantId: string;
  /** Whether the text is read by others than the tenant. */
  isPublic?: boolean;
}

/**
 * Adds the node, its package and its address to a text that begins with `could not connect to node`. Returns
 * other texts unchanged. A container's address is shown only to the tenant that deployed it, and not to its
 * app keys.
 *
 * @returns for example `could not connect to node "a" (Step of acme/steps@1.0.0 at grpc://10.0.0.5:9001)`
 */
export function connectText(
  text: string,
  { name, node, target, tenantId, isPublic = false }: Unconnected,
): string {
  const { message } = notConnected;
  if (!text.startsWith(message)) return text;
  const isOwn = node.ownerTenantId === tenantId && !target.binding && !isPublic;
  const place = `${target.node} of ${target.package.name}@${target.package.version}`;
  const address = isOwn ? ` at ${target.endpoint}` : '';
  return `${message} "${name}" (${place}${address})${text.slice(message.length)}`;
}
