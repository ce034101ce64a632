import type { InstanceBody } from '../../specs/operations/instances.ts';
import type { Clock } from '../clock.ts';
import {
  genericVersionNotFound,
  instanceNameTaken,
  instancePackageDiffers,
  nameOfPublishedPackage,
} from '../errors/instance-errors.ts';
import { shellDeleted } from '../errors/package-errors.ts';
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
import { holdVersion } from '../store/version-deletion.ts';
import { findGenericNode, type GenericNode } from './find-generic-node.ts';
import { checkInstanceRequest, type InstanceRequest } from './instance-request.ts';
import { type ShellTypes, shellTypes } from './shell-types.ts';

/** The parts of the service that create Instances. */
export interface InstanceOptions {
  db: Database;
  clock: Clock;
  ids: Ids;
}

/** A new Instance with its shell package, which may be older. */
export interface CreatedInstance {
  package: Package;
  /** Version of the shell package. */
  version: string;
  /** The node that callers use. */
  node: Node;
  instance: Instance;
}

/** Version of a shell package if the request has none. */
const defaultVersion = '0.1.0';

/** Maximum number of attempts if concurrent requests change the package. */
const attempts = 20;

/**
 * Binds the generic ports of a node to drafted messages. The result is a node of a shell package, which is used like any other node.
 * Atomic. Decision 0016 explains shell packages.
 *
 * @throws ApiError 400, 403, 404 or 409
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
      // A concurrent request has inserted the row. The next attempt finds it.
      if (!isUniqueViolation(error)) throw error;
    }
    if (attempt === attempts) throw instanceNameTaken();
  }
}

interface StoreOptions extends InstanceOptions {
  tx: Tx;
  tenant: Tenant;
  request: InstanceRequest;
  generic: GenericNode;
}

/** @returns `undefined` if a concurrent request has changed the package */
async function store(options: StoreOptions): Promise<CreatedInstance | undefined> {
  const { tx, tenant, request, generic } = options;
  if (!(await holdVersion(tx, generic.version)))
    throw genericVersionNotFound(generic.packageName, generic.version.version);
  const found = await findPackage(tx, tenant.handle, request.name);
  if (!found) return createShell(options);
  const other = await findInstanceOfPackage(tx, tenant.id, found.id);
  if (!other) throw nameOfPublishedPackage(request.fullName);
  const version = await findPackageVersionById(tx, tenant.id, other.versionId);
  if (!version) throw new Error(`package version ${other.versionId} is gone, and its row is never deleted`);
  if (version.deletedAt !== null) throw shellDeleted(request.fullName, version.version);
  const nodes = await listNodes(tx, tenant.id, version.id);
  if (nodes.some(({ name }) => name === generic.node.name)) throw instanceNameTaken();
  checkSameRelease(request, found, version);
  return addToShell(options, { shell: found, version, nodes, other });
}

async function createShell(options: StoreOptions): Promise<CreatedInstance> {
  const { tx, clock, ids, tenant, request, generic } = options;
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
  const node = boundNode(options, pin.id, types, 0);
  const content = { name: request.fullName, version: pin.version, description: owner.description, protos };
  await insertPackage(tx, shell);
  await insertPackageVersion(tx, {
    ...owner,
    ...pin,
    protos,
    descriptorSet,
    contentHash: hashOf(content, [node]),
    endpoint: null,
    sealedToken: null,
    verification: null,
  });
  return storeNode(options, shell, pin, { node, types });
}

interface ExistingPackage {
  shell: Package;
  version: PackageVersion;
  nodes: readonly Node[];
  /** An Instance of the package. */
  other: Instance;
}

/** Adds the node to the existing version of the package. */
async function addToShell(
  options: StoreOptions,
  { shell, version, nodes, other }: ExistingPackage,
): Promise<CreatedInstance | undefined> {
  const { tx, request, generic } = options;
  const boundMessage = other.outputMessage ?? other.inputMessage ?? '';
  const types = shellTypes(request, generic, { version, boundMessage });
  const { protos, descriptorSet } = types;
  const node = boundNode(options, version.id, types, nodes.length);
  const content = {
    name: request.fullName,
    version: version.version,
    description: version.description,
    protos,
  };
  const contentHash = hashOf(content, [...nodes, node]);
  const grown = await growPackageVersion(tx, version, { contentHash, protos, descriptorSet });
  return grown ? storeNode(options, shell, version, { node, types }) : undefined;
}

/** Checks that the request agrees with the version and visibility of the existing package. */
function checkSameRelease(request: InstanceRequest, shell: Package, { version }: PackageVersion): void {
  const { fullName } = request;
  if ((request.version ?? version) !== version) throw instancePackageDiffers(fullName, 'version', version);
  const { visibility } = shell;
  if ((request.visibility ?? visibility) !== visibility) {
    throw instancePackageDiffers(fullName, 'visibility', visibility);
  }
}

function boundNode(
  { ids, tenant, request, generic }: StoreOptions,
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
    // The handler belongs to the generic node, so its secrets are required for every binding.
    requiredSecrets: [...new Set([...node.requiredSecrets, ...request.requiredSecrets])],
    sample: bound.input === undefined ? node.sample : null,
  };
}

async function storeNode(
  { tx, clock, generic }: StoreOptions,
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
