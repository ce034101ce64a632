import { BoundedCache } from '../../bounded-cache.ts';
import type { Database } from '../../store/database.ts';
import type { NodeBinding } from '../container/call-context.ts';
import type { PackageReference } from '../container/served-versions.ts';
import { endpointFor, isVisible } from '../deployed-endpoint.ts';
import { findInstanceTarget, type InstanceTarget } from '../instance-target.ts';
import type { CallableNode } from './callable-node.ts';
import { type Deployment, Deployments, type DeploymentsOptions } from './deployments.ts';

/** The container that handles a node's calls. */
export interface NodeTarget {
  /** `grpc://host:port` or `grpcs://host:port` */
  endpoint: string;
  /** Handle of the tenant that deployed the container. */
  owner: string;
  /** The token that the container expects. */
  token?: string;
  /** Why the container cannot be called. */
  problem?: string;
  /** The node's name in that container. */
  node: string;
  /** The package version that defines that node, and that the container must serve. */
  package: PackageReference;
  /** Set if the node belongs to an Instance. */
  binding?: NodeBinding;
}

/** How fresh the target of a call must be. */
export interface TargetOptions {
  /**
   * Accepts a deployment that was read at most this many milliseconds ago. The default 0 reads the database,
   * so that a package that is undeployed or made private becomes unavailable with the next call.
   */
  maxAgeMs?: number;
}

/** Maximum number of Instances whose binding, with its descriptors, stays in memory. */
const maxInstances = 1_000;

/** Finds the container that handles a node's calls for a tenant. */
export class NodeTargets {
  readonly #db: Database;
  readonly #deployments: Deployments;
  readonly #instances = new BoundedCache<string, InstanceTarget>(maxInstances);

  constructor(options: DeploymentsOptions) {
    this.#db = options.db;
    this.#deployments = new Deployments(options);
  }

  /** @returns `undefined` if the node is not deployed, or not visible to the caller */
  async find(
    node: CallableNode,
    callerId: string,
    { maxAgeMs = 0 }: TargetOptions = {},
  ): Promise<NodeTarget | undefined> {
    const { ownerTenantId } = node;
    const deployment = await this.#deployments.read(ownerTenantId, node.versionId, maxAgeMs);
    if (!node.generic) return targetOf(deployment, callerId, node.nodeName);
    if (!isVisible(deployment, ownerTenantId, callerId)) return undefined;
    const instance = await this.#instanceOf(node, node.generic.instance);
    const serving = await this.#deployments.read(instance.tenantId, instance.versionId, maxAgeMs);
    const target = targetOf(serving, ownerTenantId, instance.node);
    return target && { ...target, binding: instance.binding };
  }

  /**
   * Makes runs read their deployments again. Call it after a change of deployments in this process; other
   * processes notice a change within `maxAgeMs`.
   */
  forget(): void {
    this.#deployments.forget();
  }

  async #instanceOf({ ownerTenantId, nodeUlid }: CallableNode, label: string): Promise<InstanceTarget> {
    const known = this.#instances.get(nodeUlid);
    if (known) return known;
    const found = await findInstanceTarget(this.#db.knex, { tenantId: ownerTenantId, id: nodeUlid }, label);
    if (!found) throw new Error(`the Instance ${label} is missing, although Instances are never deleted`);
    this.#instances.set(nodeUlid, found);
    return found;
  }
}

function targetOf(
  deployment: Deployment | undefined,
  callerId: string,
  node: string,
): NodeTarget | undefined {
  if (!deployment) return undefined;
  const { package: reference, token, tokenUnreadable } = deployment;
  const endpoint = endpointFor(deployment, reference.tenantId, callerId);
  if (endpoint === undefined) return undefined;
  return {
    endpoint,
    owner: reference.name.slice(0, reference.name.indexOf('/')),
    node,
    package: reference,
    ...(token !== undefined && { token }),
    ...(tokenUnreadable && { problem: tokenProblem }),
  };
}

const tokenProblem =
  'the token of the deployment was encrypted with another key: restart the service with the current key, or deploy the version again';
