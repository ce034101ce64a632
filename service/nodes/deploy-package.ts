import { invalidEndpoint, packageHoldsInstances } from '../errors/package-errors.ts';
import { createRegistry } from '../messages/registry.ts';
import type { Database } from '../store/database.ts';
import { findInstanceOfPackage } from '../store/instances.ts';
import { listNodes } from '../store/nodes.ts';
import { setEndpoint } from '../store/package-versions.ts';
import type { Tenant } from '../store/tenants.ts';
import { checkEndpoint } from './container/check-endpoint.ts';
import type { ContainerPool } from './container/container-pool.ts';
import { readOwnPackage, readPackageVersion } from './read-package.ts';
import { checkDeployment, type CheckedDeployment } from './verify/check-deployment.ts';

interface DeployOptions {
  db: Database;
  /** Hosts allowed in endpoints (`SVC_NODE_HOSTS`). */
  nodeHosts: readonly string[];
  /** Asks the container at an endpoint what it serves. */
  containers: Pick<ContainerPool, 'describe'>;
}

interface Deployed extends CheckedDeployment {
  /** `<handle>/<name>` */
  name: string;
  version: string;
}

/** Sets the endpoint of a version of the tenant's own. The container is asked first what it serves. */
export async function deployPackage(
  { db: { knex }, nodeHosts, containers }: DeployOptions,
  tenant: Tenant,
  place: { owner: string; name: string; version: string },
  endpoint: string,
): Promise<Deployed> {
  const owner = await readOwnPackage(knex, tenant, place.owner, place.name);
  const version = await readPackageVersion(knex, owner, place.version);
  checkAllowed(endpoint, nodeHosts);
  const name = `${owner.handle}/${owner.name}`;
  if (await findInstanceOfPackage(knex, owner.tenantId, owner.id)) throw packageHoldsInstances(name);
  const checked = await checkDeployment(containers, endpoint, {
    name,
    version: version.version,
    nodes: await listNodes(knex, version.tenantId, version.id),
    registry: createRegistry(version.descriptorSet),
  });
  await setEndpoint(knex, version.tenantId, version.id, endpoint, checked.verification);
  return { name, version: version.version, ...checked };
}

/** @throws ApiError 400 if an endpoint is malformed, or on a host that the operator does not allow */
export function checkAllowed(endpoint: string, hosts: readonly string[]): void {
  const checked = checkEndpoint(endpoint, hosts);
  if ('error' in checked) throw invalidEndpoint(checked.error);
}
