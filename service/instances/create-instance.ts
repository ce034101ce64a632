import type { InstanceBody } from '../../specs/operations/instances.ts';
import type { Clock } from '../clock.ts';
import {
  instanceNameTaken,
  instancePackageDiffers,
  nameOfPublishedPackage,
} from '../errors/instance-errors.ts';
import type { Ids } from '../ids.ts';
import { contentHash } from '../nodes/content-hash.ts';
import type { Database, Tx } from '../store/database.ts';
import { isUniqueViolation } from '../store/database-errors.ts';
import { findInstanceOfPackage, insertInstance, type Instance } from '../store/instances.ts';
import { insertMessageTypes } from '../store/message-types.ts';
import { insertNodes, listNodes, type Node } from '../store/nodes.ts';
import {
  findPackageVersionById,
  growPackageVersion,
  insertPackageVersion,
  type PackageVersion,
} from '../store/package-versions.ts';
import { findPackage, insertPackage, type Package } from '../store/packages.ts';
import type { Tenant } from '../store/tenants.ts';
import { findGenericNode, type GenericNode } from './find-generic-node.ts';
import { checkInstanceRequest, type InstanceRequest } from './instance-request.ts';
import { type ShellTypes, shellTypes } from './shell-types.ts';

export interface InstanceOptions {
  db: Database;
  clock: Clock;
  ids: Ids;
}

export interface CreatedInstance {
  package: Package;
  version: string;
  node: Node;
  instance: Instance;
}

/** Version of a shell package that nobody gave one (SPEC.md, Versioning 4). */
const defaultVersion = '0.1.0';

/** Times that a request begins anew since others changed its package meanwhile. */
const attempts = 20;

/**
 * Binds the open ports of a generic node to drafted messages: a node of a shell package, which is called, placed and built like
 * any other (SPEC.md, POST /v1/instances; docs/decisions/0016). Whole or not at all.
 *
 * @throws ApiError 400, 403, 404 or 409 with SPEC.md's texts
 */
export async function createInstance(
  options: InstanceOptions,
  tenant: Tenant,
  body: InstanceBody,
): Promise<CreatedInstance> {
  const request = checkInstanceRequest(tenant, body);
  const { db } = options;
  const generic = await findGenericNode(db.knex, tenant.id, request);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const created = await db.transaction((tx) => store({ ...options, tx, tenant, request, generic }));
      if (created) return created;
    } catch (error) {
      // Somebody was first: what they stored is found the next time.
      if (!isUniqueViolation(error)) throw error;
    }
    if (attempt === attempts) throw instanceNameTaken();
  }
}

interface Storing extends InstanceOptions {
  tx: Tx;
  tenant: Tenant;
  request: InstanceRequest;
  generic: GenericNode;
}

/** @returns `undefined` when others added to the package meanwhile */
async function store(storing: Storing): Promise<CreatedInstance | undefined> {
  const { tx, tenant, request, generic } = storing;
  const found = await findPackage(tx, tenant.handle, request.name);
  if (!found) return storeFirst(storing);
  const other = await findInstanceOfPackage(tx, tenant.id, found.id);
  if (!other) throw nameOfPublishedPackage(request.fullName);
  const version = await findPackageVersionById(tx, tenant.id, other.versionId);
  if (!version) throw new Error(`package version ${other.versionId} is gone, and versions are never deleted`);
  const nodes = await listNodes(tx, tenant.id, version.id);
  if (nodes.some(({ name }) => name === generic.node.name)) throw instanceNameTaken();
  checkJoins(request, found, version);
  return storeBeside(storing, { shell: found, version, nodes, other });
}

async function storeFirst(storing: Storing): Promise<CreatedInstance> {
  const { tx, clock, ids, tenant, request, generic } = storing;
  const types = shellTypes(request, generic);
  const owner = {
    tenantId: tenant.id,
    description: request.packageDescription ?? '',
    createdAt: clock.now(),
  };
  const shell: Package = {
    ...owner,
    id: ids.ulid(),
    handle: tenant.handle,
    name: request.name,
    visibility: request.visibility ?? 'private',
  };
  const { protos, descriptorSet } = types;
  const pin = { id: ids.ulid(), packageId: shell.id, version: request.version ?? defaultVersion };
  const node = boundNode(storing, pin.id, types, 0);
  const content = { name: request.fullName, version: pin.version, description: owner.description, protos };
  await insertPackage(tx, shell);
  await insertPackageVersion(tx, {
    ...owner,
    ...pin,
    protos,
    descriptorSet,
    contentHash: hashOf(content, [node]),
    endpoint: null,
  });
  return storeNode(storing, shell, pin, { node, types });
}

interface Standing {
  shell: Package;
  version: PackageVersion;
  nodes: readonly Node[];
  /** One of the Instances that stand there. */
  other: Instance;
}

/** Another generic node bound under the same name: a further node of the same version. */
async function storeBeside(
  storing: Storing,
  { shell, version, nodes, other }: Standing,
): Promise<CreatedInstance | undefined> {
  const { tx, request, generic } = storing;
  const boundMessage = other.outputMessage ?? other.inputMessage ?? '';
  const types = shellTypes(request, generic, { version, boundMessage });
  const { protos, descriptorSet } = types;
  const node = boundNode(storing, version.id, types, nodes.length);
  const content = {
    name: request.fullName,
    version: version.version,
    description: version.description,
    protos,
  };
  const contentHash = hashOf(content, [...nodes, node]);
  const grown = await growPackageVersion(tx, version, { contentHash, protos, descriptorSet });
  return grown ? storeNode(storing, shell, version, { node, types }) : undefined;
}

/** What joins a package takes on its version and who may see it (SPEC.md, POST /v1/instances). */
function checkJoins(request: InstanceRequest, shell: Package, { version }: PackageVersion): void {
  const { fullName } = request;
  if ((request.version ?? version) !== version) throw instancePackageDiffers(fullName, 'version', version);
  const { visibility } = shell;
  if ((request.visibility ?? visibility) !== visibility) {
    throw instancePackageDiffers(fullName, 'visibility', visibility);
  }
}

function boundNode(
  { ids, tenant, request, generic }: Storing,
  versionId: string,
  { bound }: ShellTypes,
  position: number,
): Node {
  const { node } = generic;
  return {
    tenantId: tenant.id,
    id: ids.ulid(),
    versionId,
    position,
    name: node.name,
    mode: node.mode,
    kind: 'standard',
    genericPorts: [],
    inputMessage: bound.input ?? node.inputMessage,
    outputMessage: bound.output ?? node.outputMessage,
    description: request.nodeDescription === '' ? node.description : request.nodeDescription,
    // The generic node's own are its handler's, whatever is bound to it.
    requiredSecrets: [...new Set([...node.requiredSecrets, ...request.requiredSecrets])],
  };
}

async function storeNode(
  { tx, clock, generic }: Storing,
  shell: Package,
  version: Pick<PackageVersion, 'id' | 'version'>,
  { node, types }: { node: Node; types: ShellTypes },
): Promise<CreatedInstance> {
  const instance: Instance = {
    tenantId: node.tenantId,
    nodeId: node.id,
    packageId: shell.id,
    versionId: version.id,
    genericTenantId: generic.version.tenantId,
    genericVersionId: generic.version.id,
    genericNodeId: generic.node.id,
    genericPackage: generic.packageName,
    genericVersion: generic.version.version,
    genericNode: generic.node.name,
    inputMessage: types.bound.input ?? null,
    outputMessage: types.bound.output ?? null,
    descriptorSet: types.binding,
    createdAt: clock.now(),
  };
  await insertNodes(tx, [node]);
  await insertInstance(tx, instance);
  await insertMessageTypes(tx, { tenantId: node.tenantId, versionId: version.id }, types.messages);
  return { package: shell, version: version.version, node, instance };
}

function hashOf(
  content: { name: string; version: string; description: string; protos: Record<string, string> },
  nodes: readonly Node[],
): string {
  return contentHash({
    ...content,
    visibility: 'private',
    nodes: nodes.map((node) => ({
      name: node.name,
      input: node.inputMessage ?? undefined,
      output: node.outputMessage ?? undefined,
      mode: node.mode,
      kind: node.kind,
      generic: node.genericPorts,
      description: node.description,
      required_secrets: node.requiredSecrets,
    })),
  });
}
