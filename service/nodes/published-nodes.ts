import { BoundedCache } from '../bounded-cache.ts';
import { noSuchNodeText } from '../errors/name-list.ts';
import { nodeNotFound, nodeNotFoundIn } from '../errors/node-errors.ts';
import type { MessageRegistry } from '../messages/registry.ts';
import type { Database } from '../store/database.ts';
import { findInstance } from '../store/instances.ts';
import { findNodeByName, findNodeByUlid, listNodes, type Node } from '../store/nodes.ts';
import {
  findPackageVersion,
  findPackageVersionById,
  listPackageVersions,
  type PackageVersion,
} from '../store/package-versions.ts';
import { findPackage, findPackageById, type Package } from '../store/packages.ts';
import type { CallableNode } from './call/callable-node.ts';
import { latestVersion } from './latest-version.ts';
import { messageNamesOf, type TypeRegistries } from './type-registries.ts';

/** A published node with its message types. Publications are immutable. */
export interface PublishedNode {
  node: Node;
  callable: CallableNode;
  version: string;
  /** `<handle>/<package>/<version>/<node>` */
  fqn: string;
  /** The types of the node's package version. */
  registry: MessageRegistry;
}

interface NodePath {
  owner: string;
  package: string;
  version: string;
  node: string;
}

/** A node's path, or its registry id. */
export type NodeReference = NodePath | { ulid: string };

/** Maximum number of cached nodes. */
const maxNodes = 10_000;

/** Finds published nodes, and caches them. */
export class PublishedNodes {
  readonly #db: Database;
  readonly #nodes = new BoundedCache<string, PublishedNode>(maxNodes);
  readonly #types: TypeRegistries;

  constructor(db: Database, types: TypeRegistries) {
    this.#db = db;
    this.#types = types;
  }

  /**
   * Finds a node. The result may be invisible to the tenant: visibility may change, so each call checks it
   * with the deployment.
   *
   * @throws ApiError 404 for an unknown node, or for a node of another tenant's private package
   */
  async find(tenantId: string, reference: NodeReference): Promise<PublishedNode> {
    // Prefixed, so that a path sent as an id does not find the entry of the path.
    const key =
      'ulid' in reference
        ? `id ${reference.ulid}`
        : `path ${reference.owner}/${reference.package}/${reference.version}/${reference.node}`;
    const known = this.#nodes.get(key);
    if (known) return known;
    const found =
      'ulid' in reference ? await this.#byUlid(reference.ulid) : await this.#byPath(tenantId, reference);
    this.#nodes.set(key, found);
    return found;
  }

  async #byPath(tenantId: string, path: NodePath): Promise<PublishedNode> {
    const { knex } = this.#db;
    const owner = await findPackage(knex, path.owner, path.package);
    if (!owner || (owner.visibility === 'private' && owner.tenantId !== tenantId)) throw nodeNotFound();
    if (path.version === 'latest') throw nodeNotFoundIn(await this.#latestText(owner));
    const version = await findPackageVersion(knex, owner.tenantId, owner.id, path.version);
    if (!version) throw nodeNotFound();
    const node = await findNodeByName(knex, version.tenantId, version.id, path.node);
    if (!node) {
      const names = (await listNodes(knex, version.tenantId, version.id)).map(({ name }) => name);
      throw nodeNotFoundIn(
        noSuchNodeText(`${path.owner}/${path.package} ${path.version}`, { name: path.node }, names),
      );
    }
    return this.#describe(owner, version, node);
  }

  async #latestText({ tenantId, id }: Package): Promise<string> {
    const versions = (await listPackageVersions(this.#db.knex, tenantId, id)).map(({ version }) => version);
    return `a call names an exact version, which "latest" is not: the latest one is ${latestVersion(versions) ?? 'unpublished'}`;
  }

  async #byUlid(ulid: string): Promise<PublishedNode> {
    const { knex } = this.#db;
    const node = await findNodeByUlid(knex, ulid);
    const version = node && (await findPackageVersionById(knex, node.tenantId, node.versionId));
    const owner = version && (await findPackageById(knex, version.tenantId, version.packageId));
    if (!owner) throw nodeNotFound();
    return this.#describe(owner, version, node);
  }

  async #describe(owner: Package, version: PackageVersion, node: Node): Promise<PublishedNode> {
    const packageName = `${owner.handle}/${owner.name}`;
    const instance = await findInstance(this.#db.knex, node.tenantId, node.id);
    return {
      node,
      callable: {
        packageName,
        nodeName: node.name,
        nodeUlid: node.id,
        ownerTenantId: node.tenantId,
        versionId: node.versionId,
        ...(instance && { generic: { instance: `${packageName}@${version.version}` } }),
      },
      version: version.version,
      fqn: `${packageName}/${version.version}/${node.name}`,
      registry: this.#types.registryOf(version, messageNamesOf([node])),
    };
  }
}
