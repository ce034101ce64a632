import type { CompiledGraph, CompiledNode } from '../engine/graph/compiled-graph.ts';
import type { Database } from '../store/database.ts';
import { findGraph } from '../store/graphs.ts';

/** What of a placement tells whose containers answer it. */
export type WarmNode = Pick<
  CompiledNode,
  'packageName' | 'nodeName' | 'nodeUlid' | 'ownerTenantId' | 'versionId' | 'generic'
>;

/** A package that is to be warmed, with the nodes of it that flows place. */
export interface WarmPackage {
  /** `<handle>/<name>` */
  name: string;
  nodes: WarmNode[];
}

/** Nodes of compiled flows that containers answer; flows never change, so they are read once. */
export interface WarmPlans {
  /** In the flow's order; `undefined`: the tenant has no such flow. */
  nodesOf(tenantId: string, graphId: string): Promise<readonly WarmNode[] | undefined>;
}

export function createWarmPlans(db: Database, kept = 1_000): WarmPlans {
  const plans = new Map<string, readonly WarmNode[]>();
  return {
    nodesOf: async (tenantId, graphId) => {
      const key = `${tenantId}/${graphId}`;
      const known = plans.get(key);
      if (known) return known;
      const stored = await findGraph(db.knex, tenantId, graphId);
      if (!stored) return undefined;
      const nodes = warmNodes(stored.compiled as unknown as CompiledGraph);
      if (plans.size >= kept) plans.clear();
      plans.set(key, nodes);
      return nodes;
    },
  };
}

/** Of several placements of one node the first; mocked ones never reach a container. */
function warmNodes({ nodes }: CompiledGraph): WarmNode[] {
  const first = new Map<string, WarmNode>();
  for (const { packageName, nodeName, nodeUlid, ownerTenantId, versionId, generic, mock } of nodes) {
    if (mock || first.has(nodeUlid)) continue;
    first.set(nodeUlid, {
      packageName,
      nodeName,
      nodeUlid,
      ownerTenantId,
      versionId,
      ...(generic && { generic }),
    });
  }
  return [...first.values()];
}

/**
 * The packages of flows together, each once. Of more than `most` those that are referenced first stay, by the order of the flows
 * and within them, so that the same beacon always warms the same (SPEC.md, POST /v1/flows/warm).
 */
export function packagesOf(
  flows: readonly (readonly WarmNode[])[],
  most: number,
): { packages: WarmPackage[]; truncated: number } {
  const byName = new Map<string, Map<string, WarmNode>>();
  for (const node of flows.flat()) {
    const nodes = byName.get(node.packageName) ?? new Map<string, WarmNode>();
    byName.set(node.packageName, nodes.set(node.nodeUlid, node));
  }
  const packages = [...byName].map(([name, nodes]) => ({ name, nodes: [...nodes.values()] }));
  return { packages: packages.slice(0, most), truncated: Math.max(0, packages.length - most) };
}
