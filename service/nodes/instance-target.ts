import type { Database, Tx } from '../store/database.ts';
import { type Deployment, findDeployment } from '../store/hot/find-deployment.ts';
import { findInstance, type Instance, listInstancesOfPackage } from '../store/instances.ts';
import type { Node } from '../store/nodes.ts';
import type { Package } from '../store/packages.ts';
import type { NodeBinding } from './container/call-context.ts';

/** What answers the calls of an Instance: a generic node of another package version, told what it is bound to. */
export interface InstanceTarget {
  /** Whose generic node it is, and the version whose containers answer. */
  tenantId: string;
  versionId: string;
  /** The generic node's name. */
  node: string;
  binding: NodeBinding;
}

/**
 * @param label the Instance as containers are told: `<handle>/<name>@<version>`
 * @returns `undefined` for a node that is no Instance's
 */
export async function findInstanceTarget(
  tx: Tx,
  node: Pick<Node, 'tenantId' | 'id'>,
  label: string,
): Promise<InstanceTarget | undefined> {
  const instance = await findInstance(tx, node.tenantId, node.id);
  return instance && targetOf(instance, label);
}

function targetOf(instance: Instance, label: string): InstanceTarget {
  const { inputMessage, outputMessage, descriptorSet } = instance;
  return {
    tenantId: instance.genericTenantId,
    versionId: instance.genericVersionId,
    node: instance.genericNode,
    binding: {
      instance: label,
      descriptorSet,
      ...(inputMessage !== null && { inputMessage }),
      ...(outputMessage !== null && { outputMessage }),
    },
  };
}

/**
 * Whether containers answer for all Instances of a package, whose versions have none of their own; `undefined` for a package
 * that was published.
 */
export async function areInstancesDeployed(
  db: Database,
  { tenantId, id }: Pick<Package, 'tenantId' | 'id'>,
): Promise<boolean | undefined> {
  const instances = await listInstancesOfPackage(db.knex, tenantId, id);
  if (instances.length === 0) return undefined;
  for (const { genericTenantId, genericVersionId } of instances) {
    const deployment = await findDeployment(db, genericTenantId, genericVersionId);
    if (endpointFor(deployment, genericTenantId, tenantId) === undefined) return false;
  }
  return true;
}

/**
 * Where a node's calls go, or `undefined` where they go nowhere for now.
 *
 * @param callerId tenant that calls; for the generic node behind an Instance its owner, who bound it
 */
export function endpointFor(
  deployment: Deployment | undefined,
  ownerId: string,
  callerId: string,
): string | undefined {
  const visible = deployment?.visibility === 'public' || ownerId === callerId;
  return visible ? (deployment?.endpoint ?? undefined) : undefined;
}
