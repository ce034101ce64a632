import { invalidNodeReference } from '../../errors/stream-errors.ts';
import type { NodeReference } from '../../nodes/published-nodes.ts';

/**
 * Reads a reference to a node: `{owner}/{package}/{version}/{node}`, or the node's id.
 *
 * @throws ApiError 400
 */
export function readNodeReference(text: string): NodeReference {
  const [owner, name, version, node, ...rest] = text.split('/');
  if (!owner || rest.length > 0) throw invalidNodeReference();
  if (name === undefined) return { ulid: owner };
  if (!name || !version || !node) throw invalidNodeReference();
  return { owner, package: name, version, node };
}
