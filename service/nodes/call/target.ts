import { BoundedCache } from '../../bounded-cache.ts';
import type { Database } from '../../store/database.ts';
import type { NodeBinding } from '../container/call-context.ts';
import { endpointFor, isVisible } from '../deployed-endpoint.ts';
import { findInstanceTarget, type InstanceTarget } from '../instance-target.ts';
import type { CallableNode } from './callable-node.ts';
import { type Deployment, Deployments, type DeploymentsOptions } from './deployments.ts';

/** The container that answers a node's calls. */
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
  /** Set if the node belongs to an Instance. */
  binding?: NodeBinding;
}

export interface TargetOptions {
  /**
   * Accepts a deployment read at most this long ago, milliseconds. The default 0 reads the database, so that undeploying and
   * hiding a package take effect with the next call.
   */
  maxAgeMs?: number;
}

/** Instances whose binding, with its descriptors, stays in memory. */
const maxInstances = 1_000;

/** Finds the container that answers a node's calls for a tenant. */
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
    if (!node.generic) {
      const endpoint = endpointFor(deployment, ownerTenantId, callerId);
      return endpoint && deployment
        ? { ...containerOf(deployment, endpoint), node: node.nodeName }
        : undefined;
    }
    if (!isVisible(deployment, ownerTenantId, callerId)) return undefined;
    const instance = await this.#instanceOf(node, node.generic.instance);
    const serving = await this.#deployments.read(instance.tenantId, instance.versionId, maxAgeMs);
    const endpoint = endpointFor(serving, instance.tenantId, ownerTenantId);
    return endpoint && serving
      ? { ...containerOf(serving, endpoint), node: instance.node, binding: instance.binding }
      : undefined;
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

function containerOf(
  { handle, token, tokenUnreadable }: Deployment,
  endpoint: string,
): Pick<NodeTarget, 'endpoint' | 'owner' | 'token' | 'problem'> {
  return {
    endpoint,
    owner: handle,
    ...(token !== undefined && { token }),
    ...(tokenUnreadable && { problem: tokenProblem }),
  };
}

const tokenProblem =
  'the token of the deployment was encrypted with another key: restart the service with the current key, or deploy the version again';
