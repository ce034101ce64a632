import type { MemberBody } from '../../specs/operations/client-shapes.ts';
import { UsageError } from './output.ts';

/** How the help describes a member. */
export const memberText =
  'node as owner/package/node or owner/package/version/node, or the graph_id of a flow';

/**
 * Reads a member from its argument. A node without a version is pinned to the latest one by the service.
 *
 * @throws UsageError if the argument names neither a node nor a flow
 */
export function readMember(text: string, alias?: string): MemberBody {
  const named = alias === undefined ? {} : { alias };
  const parts = text.split('/');
  const [owner = '', name = '', ...rest] = parts;
  if (parts.includes('') || parts.length === 2 || parts.length > 4) {
    throw new UsageError(`"${text}" is not a member: give a ${memberText}`);
  }
  if (parts.length === 1) return { type: 'flow', artifact_id: text, ...named };
  const [version, node_name] = rest.length === 2 ? rest : ['latest', rest[0]];
  return { type: 'node', package: `${owner}/${name}`, version, node_name, ...named };
}
