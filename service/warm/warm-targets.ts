import type { NodeTarget, NodeTargets } from '../nodes/call/target.ts';
import type { WarmNode } from './warm-plan.ts';

/** A container of a package version, and the nodes to prepare in it. */
interface WarmTarget extends Pick<NodeTarget, 'endpoint' | 'owner' | 'token' | 'package'> {
  /** Names in the container's package. */
  nodes: string[];
}

/** Returns the containers that currently serve the nodes for a tenant. Nodes that the tenant cannot call are omitted. */
export async function findWarmTargets(
  targets: Pick<NodeTargets, 'find'>,
  tenantId: string,
  nodes: readonly WarmNode[],
): Promise<WarmTarget[]> {
  const found = new Map<string, NodeTarget & { nodes: Set<string> }>();
  for (const node of nodes) {
    const target = await targets.find(node, tenantId);
    if (!target || target.problem !== undefined) continue;
    const { endpoint, owner, token, package: reference } = target;
    const key = JSON.stringify([endpoint, owner, token, reference.versionId]);
    const container = found.get(key) ?? { ...target, nodes: new Set<string>() };
    container.nodes.add(target.node);
    found.set(key, container);
  }
  return [...found.values()].map(({ endpoint, owner, token, package: reference, nodes: names }) => ({
    endpoint,
    owner,
    package: reference,
    ...(token !== undefined && { token }),
    nodes: [...names],
  }));
}
