import type { DeploymentTokens } from '../access/secrets/deployment-tokens.ts';
import { SealingKeyError } from '../access/secrets/sealing-key.ts';
import {
  invalidEndpoint,
  packageHoldsInstances,
  packageVersionNotFound,
  sealingKeyChanged,
} from '../errors/package-errors.ts';
import { createRegistry } from '../messages/registry.ts';
import type { NodeHost } from '../node-hosts.ts';
import type { Database, Tx } from '../store/database.ts';
import { findInstanceOfPackage } from '../store/instances.ts';
import { listNodes } from '../store/nodes.ts';
import { type PackageVersion, setEndpoint } from '../store/package-versions.ts';
import type { Tenant } from '../store/tenants.ts';
import { checkEndpoint } from './container/check-endpoint.ts';
import type { ContainerPool } from './container/container-pool.ts';
import { readOwnPackage, readPackageVersion } from './read-package.ts';
import { checkDeployment, type CheckedDeployment } from './verify/check-deployment.ts';
import { withWayBack } from './verify/replaced-deployment.ts';

interface DeployOptions {
  db: Database;
  /** Hosts allowed in endpoints (`SVC_NODE_HOSTS`). */
  nodeHosts: readonly NodeHost[];
  /** Asks the container at an endpoint what it serves. */
  containers: Pick<ContainerPool, 'describe'>;
  tokens: Pick<DeploymentTokens, 'seal'>;
}

interface Deployed extends CheckedDeployment {
  /** `<handle>/<name>` */
  name: string;
  version: string;
  token_set: boolean;
}

/** Sets the endpoint and token of one of the tenant's own versions, after asking the container what it serves. */
export async function deployPackage(
  { db, nodeHosts, containers, tokens }: DeployOptions,
  tenant: Tenant,
  place: { owner: string; name: string; version: string },
  { endpoint, token }: { endpoint: string; token?: string | undefined },
): Promise<Deployed> {
  const { knex } = db;
  const owner = await readOwnPackage(knex, tenant, place.owner, place.name);
  const version = await readPackageVersion(knex, owner, place.version);
  checkAllowed(endpoint, nodeHosts, tenant);
  const name = `${owner.handle}/${owner.name}`;
  if (await findInstanceOfPackage(knex, owner.tenantId, owner.id)) throw packageHoldsInstances(name);
  const checked = await checkDeployment(
    containers,
    { endpoint, owner: tenant.handle, token },
    {
      name,
      version: version.version,
      nodes: await listNodes(knex, version.tenantId, version.id),
      registry: createRegistry(version.descriptorSet),
    },
  );
  await db.transaction(async (tx) => {
    const sealedToken = await sealToken(tx, tokens, version, token);
    const { verification } = checked;
    const { tenantId, id } = version;
    // The version may have been deleted while its container was asked.
    if (!(await setEndpoint(tx, tenantId, id, endpoint, { verification, sealedToken }))) {
      throw packageVersionNotFound();
    }
  });
  return { name, version: version.version, token_set: token !== undefined, ...withWayBack(checked, version) };
}

/** @throws ApiError 400 if an endpoint is malformed, or the operator does not allow the tenant to deploy there */
export function checkAllowed(endpoint: string, hosts: readonly NodeHost[], tenant: Tenant): void {
  const checked = checkEndpoint(endpoint, { hosts, tenant: tenant.handle });
  if ('error' in checked) throw invalidEndpoint(checked.error);
}

/**
 * Encrypts the token of a deployment, in the transaction that stores it.
 *
 * @throws ApiError 503 if this process has an old key
 */
export async function sealToken(
  tx: Tx,
  tokens: Pick<DeploymentTokens, 'seal'>,
  version: Pick<PackageVersion, 'tenantId' | 'id'>,
  token: string | undefined,
): Promise<Uint8Array | null> {
  if (token === undefined) return null;
  try {
    return await tokens.seal(tx, version, token);
  } catch (error) {
    throw error instanceof SealingKeyError ? sealingKeyChanged() : error;
  }
}
