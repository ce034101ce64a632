import type { DescMessage } from '@bufbuild/protobuf';
import { nodeNotFound, nodeNotFoundIn } from '../errors/node-errors.ts';
import { createRegistry, type MessageRegistry } from '../messages/registry.ts';
import type { Database, Tx } from '../store/database.ts';
import { findDeployment } from '../store/hot/find-deployment.ts';
import { findNodeByName, findNodeByUlid, type Node } from '../store/nodes.ts';
import {
  findPackageVersion,
  findPackageVersionById,
  type PackageVersion,
} from '../store/package-versions.ts';
import { findPackage, findPackageById, type Package } from '../store/packages.ts';
import { endpointFor, findInstanceTarget, type InstanceTarget } from './instance-target.ts';

/** A node that the caller may see, with its message types; `input` and `output` are absent where a generic node's port is open. */
export interface ResolvedNode {
  node: Node;
  /** `<handle>/<package>` */
  packageName: string;
  version: string;
  /** `<handle>/<package>/<version>/<node>` */
  fqn: string;
  registry: MessageRegistry;
  input: DescMessage | undefined;
  output: DescMessage | undefined;
  /** What answers instead of the node, when it is an Instance's. */
  target?: InstanceTarget | undefined;
  /** Where its containers answer now. */
  endpoint: string;
}

export interface NodePath {
  owner: string;
  package: string;
  version: string;
  node: string;
}

export interface NodeResolver {
  byPath(tenantId: string, path: NodePath): Promise<ResolvedNode>;
  byUlid(tenantId: string, ulid: string): Promise<ResolvedNode>;
}

/** What never changes of a published node, so that a call reads only its deployment. */
type PublishedNode = Omit<ResolvedNode, 'endpoint'>;

/** How many nodes stay resolved, and registries shared among nodes found later; the least recently used leave first. */
const keptNodes = 10_000;
const keptRegistries = 1_000;

/**
 * Finds nodes by path or registry id for a tenant. Publications are immutable and therefore kept; visibility and deployment are
 * read on every call, so that undeploying and hiding a package act at once.
 *
 * @throws ApiError 404 with the texts of SPEC.md, Single node
 */
export function createNodeResolver(db: Database): NodeResolver {
  const kept = new Map<string, PublishedNode>();
  const registries = new Map<string, MessageRegistry>();

  const recall = async (key: string, find: () => Promise<PublishedNode>): Promise<PublishedNode> => {
    const known = kept.get(key) ?? (await find());
    keepLatest(kept, key, known, keptNodes);
    return known;
  };

  const deployed = async (tenantId: string, published: PublishedNode): Promise<ResolvedNode> => {
    const { node, target } = published;
    const deployment = await findDeployment(db, node.tenantId, node.versionId);
    let endpoint = endpointFor(deployment, node.tenantId, tenantId);
    if (target && (deployment?.visibility === 'public' || node.tenantId === tenantId)) {
      const serving = await findDeployment(db, target.tenantId, target.versionId);
      endpoint = endpointFor(serving, target.tenantId, node.tenantId);
    }
    if (endpoint === undefined) throw nodeNotFound();
    return { ...published, endpoint };
  };

  const describe = async (owner: Package, version: PackageVersion, node: Node): Promise<PublishedNode> => {
    // A version that holds Instances grows by further ones, so its id alone does not tell what is in it.
    const content = `${version.id} ${version.contentHash}`;
    const registry = registries.get(content) ?? createRegistry(version.descriptorSet);
    keepLatest(registries, content, registry, keptRegistries);
    const packageName = `${owner.handle}/${owner.name}`;
    return {
      target: await findInstanceTarget(db.knex, node, `${packageName}@${version.version}`),
      node,
      packageName,
      version: version.version,
      fqn: `${packageName}/${version.version}/${node.name}`,
      registry,
      input: node.inputMessage === null ? undefined : registry.getMessage(node.inputMessage),
      output: node.outputMessage === null ? undefined : registry.getMessage(node.outputMessage),
    };
  };

  return {
    byPath: async (tenantId, path) => {
      const key = `${path.owner}/${path.package}/${path.version}/${path.node}`;
      const published = await recall(key, async () => {
        const found = await publication(db.knex, tenantId, path);
        const node = await findNodeByName(db.knex, found.version.tenantId, found.version.id, path.node);
        if (!node) {
          throw nodeNotFoundIn(`${path.owner}/${path.package} ${path.version} has no node "${path.node}"`);
        }
        return describe(found.owner, found.version, node);
      });
      return deployed(tenantId, published);
    },
    byUlid: async (tenantId, ulid) => {
      const published = await recall(ulid, async () => {
        const node = await findNodeByUlid(db.knex, ulid);
        const version = node && (await findPackageVersionById(db.knex, node.tenantId, node.versionId));
        const owner = version && (await findPackageById(db.knex, version.tenantId, version.packageId));
        if (!owner) throw nodeNotFound();
        return describe(owner, version, node);
      });
      return deployed(tenantId, published);
    },
  };
}

function keepLatest<V>(kept: Map<string, V>, key: string, value: V, most: number): void {
  kept.delete(key);
  kept.set(key, value);
  const oldest = kept.size > most ? kept.keys().next().value : undefined;
  if (oldest !== undefined) kept.delete(oldest);
}

async function publication(
  tx: Tx,
  tenantId: string,
  path: NodePath,
): Promise<{ owner: Package; version: PackageVersion }> {
  const owner = await findPackage(tx, path.owner, path.package);
  // A private package of somebody else is answered as one that does not exist.
  if (!owner || (owner.visibility === 'private' && owner.tenantId !== tenantId)) throw nodeNotFound();
  const version = await findPackageVersion(tx, owner.tenantId, owner.id, path.version);
  if (!version) throw nodeNotFound();
  return { owner, version };
}
