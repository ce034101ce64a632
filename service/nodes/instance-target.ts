import type { Database, Tx } from '../store/database.ts';
import { findDeployment } from '../store/prepared/find-deployment.ts';
import { findInstance, type Instance, listInstancesOfPackage } from '../store/instances.ts';
import type { Node } from '../store/nodes.ts';
import type { Package } from '../store/packages.ts';
import type { NodeBinding } from './container/call-context.ts';
import { endpointFor } from './deployed-endpoint.ts';

/** The generic node that handles the calls of an Instance, and the binding that each call carries. Never changes. */
export interface InstanceTarget {
  /** Owner of the generic node, and the version whose containers handle the calls. */
  tenantId: string;
  versionId: string;
  /** Name of the generic node. */
  node: string;
  binding: NodeBinding;
}

/**
 * @param label the Instance's name in the binding: `<handle>/<name>@<version>`
 * @returns `undefined` if the node does not belong to an Instance
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
 * Reports whether every Instance of a shell package has a deployed generic node; `undefined` for a published package. Shell
 * packages have no containers of their own.
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
