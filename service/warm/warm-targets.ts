import { endpointFor, findInstanceTarget } from '../nodes/instance-target.ts';
import type { Database } from '../store/database.ts';
import { findDeployment } from '../store/hot/find-deployment.ts';
import type { WarmNode } from './warm-plan.ts';

/** A container, and those of its nodes that are wanted soon. */
export interface WarmTarget {
  /** `grpc://host:port` */
  endpoint: string;
  /** Names in its package. */
  nodes: string[];
}

/**
 * The containers that answer nodes for a tenant now. What is not deployed, or not for this tenant to call, is left out
 * (SPEC.md, POST /v1/flows/warm).
 */
export async function findWarmTargets(
  db: Database,
  tenantId: string,
  nodes: readonly WarmNode[],
): Promise<WarmTarget[]> {
  const targets = new Map<string, Set<string>>();
  for (const node of nodes) {
    const serving = await servingOf(db, tenantId, node);
    if (!serving) continue;
    const names = targets.get(serving.endpoint) ?? new Set<string>();
    targets.set(serving.endpoint, names.add(serving.node));
  }
  return [...targets].map(([endpoint, names]) => ({ endpoint, nodes: [...names] }));
}

async function servingOf(
  db: Database,
  tenantId: string,
  { ownerTenantId, versionId, nodeUlid, nodeName, generic }: WarmNode,
): Promise<{ endpoint: string; node: string } | undefined> {
  const deployment = await findDeployment(db, ownerTenantId, versionId);
  if (!generic) {
    const endpoint = endpointFor(deployment, ownerTenantId, tenantId);
    return endpoint === undefined ? undefined : { endpoint, node: nodeName };
  }
  if (deployment?.visibility !== 'public' && ownerTenantId !== tenantId) return undefined;
  const target = await findInstanceTarget(
    db.knex,
    { tenantId: ownerTenantId, id: nodeUlid },
    generic.instance,
  );
  if (!target) return undefined;
  const serving = await findDeployment(db, target.tenantId, target.versionId);
  const endpoint = endpointFor(serving, target.tenantId, ownerTenantId);
  return endpoint === undefined ? undefined : { endpoint, node: target.node };
}
