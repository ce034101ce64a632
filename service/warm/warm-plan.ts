import type { CompiledGraph, CompiledNode } from '../engine/graph/compiled-graph.ts';
import type { Database } from '../store/database.ts';
import { findGraph } from '../store/graphs.ts';

/** The fields of a placement that identify its container. */
export type WarmNode = Pick<
  CompiledNode,
  'packageName' | 'nodeName' | 'nodeUlid' | 'ownerTenantId' | 'versionId' | 'generic'
>;

/** A package to warm, with the nodes of it that flows use. */
export interface WarmPackage {
  /** `<handle>/<name>` */
  name: string;
  nodes: WarmNode[];
}

/** The nodes of flows that are served by containers. Compiled flows are immutable, so each is read once. */
export interface WarmPlans {
  /** Returns nodes in the flow's order, or `undefined` if the tenant has no such flow. */
  nodesOf(tenantId: string, graphId: string): Promise<readonly WarmNode[] | undefined>;
}

/** Maximum number of cached plans. All are dropped when it is exceeded. */
const keptPlans = 1_000;

/** Creates plans that read each flow on its first use and keep it in memory. Unknown flows are looked up each time. */
export function createWarmPlans(db: Database): WarmPlans {
  const plans = new Map<string, readonly WarmNode[]>();
  return {
    nodesOf: async (tenantId, graphId) => {
      const key = `${tenantId}/${graphId}`;
      const known = plans.get(key);
      if (known) return known;
      const stored = await findGraph(db.knex, tenantId, graphId);
      if (!stored) return undefined;
      const nodes = warmNodes(stored.compiled as unknown as CompiledGraph);
      if (plans.size >= keptPlans) plans.clear();
      plans.set(key, nodes);
      return nodes;
    },
  };
}

/** Returns each node once, without the mocked ones, which never reach a container. */
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
 * Returns the packages of flows, each once. Keeps at most `most` packages, in order of their first reference, so that the same beacon
 * always warms the same packages.
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
