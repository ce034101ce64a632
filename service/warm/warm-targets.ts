import type { NodeTargets } from '../nodes/call/target.ts';
import type { WarmNode } from './warm-plan.ts';

/** A container, and the nodes to prepare in it. */
interface WarmTarget {
  /** `grpc://host:port` */
  endpoint: string;
  /** Names in the container's package. */
  nodes: string[];
}

/** Returns the containers that now answer the nodes for a tenant. Nodes that it cannot call are left out. */
export async function findWarmTargets(
  targets: Pick<NodeTargets, 'find'>,
  tenantId: string,
  nodes: readonly WarmNode[],
): Promise<WarmTarget[]> {
  const byEndpoint = new Map<string, Set<string>>();
  for (const node of nodes) {
    const target = await targets.find(node, tenantId);
    if (!target) continue;
    const names = byEndpoint.get(target.endpoint) ?? new Set<string>();
    byEndpoint.set(target.endpoint, names.add(target.node));
  }
  return [...byEndpoint].map(([endpoint, names]) => ({ endpoint, nodes: [...names] }));
}
