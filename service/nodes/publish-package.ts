import type { PublishBody } from '../../specs/operations/package-shapes.ts';
import type { DeploymentTokens } from '../access/secrets/deployment-tokens.ts';
import { SealingKeyError } from '../access/secrets/sealing-key.ts';
import type { Clock } from '../clock.ts';
import {
  foreignHandle,
  invalidEndpoint,
  invalidPackage,
  packageHoldsInstances,
  protosDoNotCompile,
  sealingKeyChanged,
  tokenWithoutEndpoint,
  versionExists,
} from '../errors/package-errors.ts';
import type { Ids } from '../ids.ts';
import type { NodeHost } from '../node-hosts.ts';
import { compileProtos } from '../messages/compile/compile-protos.ts';
import { ProtoCompileError } from '../errors/proto-compile-error.ts';
import { createRegistry } from '../messages/registry.ts';
import type { Database, Tx } from '../store/database.ts';
import { isUniqueViolation } from '../store/database-errors.ts';
import { insertMessageTypes } from '../store/message-types.ts';
import { findInstanceOfPackage } from '../store/instances.ts';
import { insertNodes, listNodes, type Node } from '../store/nodes.ts';
import {
  findPackageVersion,
  insertPackageVersion,
  type PackageVersion,
  setEndpoint,
} from '../store/package-versions.ts';
import { findPackage, insertPackage, type Package, updatePackage } from '../store/packages.ts';
import type { Tenant } from '../store/tenants.ts';
import { checkNodes } from './check-nodes.ts';
import { checkEndpoint } from './container/check-endpoint.ts';
import { contentHash } from './content-hash.ts';

export interface PublishOptions {
  db: Database;
  clock: Clock;
  ids: Ids;
  /** Hosts allowed in endpoints (`SVC_NODE_HOSTS`). */
  nodeHosts: readonly NodeHost[];
  tokens: Pick<DeploymentTokens, 'seal'>;
}

export interface Publication {
  package: Package;
  version: PackageVersion;
  nodes: Node[];
  /** False if the version was already published with the same content. */
  created: boolean;
}

/**
 * Publishes one version of a package for a tenant, in one transaction. Publishing the same content again changes only the package's
 * description and visibility, and the endpoint with its token if one is given.
 */
export async function publishPackage(
  options: PublishOptions,
  tenant: Tenant,
  body: PublishBody,
): Promise<Publication> {
  if (!body.name.startsWith(`${tenant.handle}/`)) throw foreignHandle(body.name, tenant.handle);
  if (body.token !== undefined && body.endpoint === undefined) throw tokenWithoutEndpoint();
  if (body.endpoint !== undefined) requireAllowedEndpoint(options, tenant, body.endpoint);
  const descriptorSet = await compile(body.protos);
  const messages = new Set<string>();
  for (const type of createRegistry(descriptorSet)) if (type.kind === 'message') messages.add(type.typeName);
  const problems = checkNodes(body.nodes, messages);
  if (problems.length > 0) throw invalidPackage(problems);

  const publish = () =>
    options.db.transaction(async (tx) => {
      const owner = await packageOf(tx, options, tenant, body);
      const found = await findPackageVersion(tx, tenant.id, owner.id, body.version);
      if (found) return republish(tx, options, { owner, found, body });
      const key = { tenantId: tenant.id, id: options.ids.ulid() };
      const version: PackageVersion = {
        ...key,
        packageId: owner.id,
        version: body.version,
        description: body.description,
        contentHash: contentHash(body),
        protos: body.protos,
        descriptorSet,
        endpoint: body.endpoint ?? null,
        sealedToken: await sealToken(tx, options, key, body.token),
        createdAt: options.clock.now(),
      };
      const nodes = nodesOf(options.ids, version, body);
      await insertPackageVersion(tx, version);
      await insertNodes(tx, nodes);
      await insertMessageTypes(tx, { tenantId: tenant.id, versionId: version.id }, ownMessages(messages));
      return { package: owner, version, nodes, created: true };
    });
  try {
    return await publish();
  } catch (error) {
    // Of two concurrent publications, the second attempt of the loser finds the winner's version.
    if (isUniqueViolation(error)) return publish();
    throw error;
  }
}

/** Excludes the well-known types. */
function ownMessages(messages: ReadonlySet<string>): string[] {
  return [...messages].filter((name) => !name.startsWith('google.protobuf.'));
}

/** @throws ApiError 400 if the operator does not allow the tenant to deploy there */
export function requireAllowedEndpoint(
  { nodeHosts }: Pick<PublishOptions, 'nodeHosts'>,
  { handle }: Tenant,
  endpoint: string,
): void {
  const checked = checkEndpoint(endpoint, { hosts: nodeHosts, tenant: handle });
  if ('error' in checked) throw invalidEndpoint(checked.error);
}

/** Encrypts the token of a deployment, in the transaction that stores it. */
export async function sealToken(
  tx: Tx,
  { tokens }: Pick<PublishOptions, 'tokens'>,
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

async function compile(protos: Record<string, string>): Promise<Uint8Array> {
  try {
    return await compileProtos(protos);
  } catch (error) {
    if (error instanceof ProtoCompileError) throw protosDoNotCompile(error);
    throw error;
  }
}

async function packageOf(
  tx: Tx,
  options: PublishOptions,
  tenant: Tenant,
  body: PublishBody,
): Promise<Package> {
  const name = body.name.slice(tenant.handle.length + 1);
  const found = await findPackage(tx, tenant.handle, name);
  const { description, visibility } = body;
  if (found) {
    if (await findInstanceOfPackage(tx, tenant.id, found.id)) throw packageHoldsInstances(body.name);
    await updatePackage(tx, tenant.id, found.id, { description, visibility });
    return { ...found, description, visibility };
  }
  const created: Package = {
    tenantId: tenant.id,
    id: options.ids.ulid(),
    handle: tenant.handle,
    name,
    visibility,
    description,
    createdAt: options.clock.now(),
  };
  await insertPackage(tx, created);
  return created;
}

async function republish(
  tx: Tx,
  options: PublishOptions,
  { owner, found, body }: { owner: Package; found: PackageVersion; body: PublishBody },
): Promise<Publication> {
  if (found.contentHash !== contentHash(body)) throw versionExists(body.name, body.version);
  if (body.endpoint !== undefined) {
    const sealed = await sealToken(tx, options, found, body.token);
    await setEndpoint(tx, owner.tenantId, found.id, body.endpoint, sealed);
  }
  return {
    package: owner,
    version: found,
    nodes: await listNodes(tx, owner.tenantId, found.id),
    created: false,
  };
}

function nodesOf(ids: Ids, version: PackageVersion, body: PublishBody): Node[] {
  return body.nodes.map((node, position) => ({
    tenantId: version.tenantId,
    id: ids.ulid(),
    versionId: version.id,
    position,
    name: node.name,
    mode: node.mode,
    kind: node.kind,
    genericPorts: node.generic,
    inputMessage: node.input ?? null,
    outputMessage: node.output ?? null,
    description: node.description,
    requiredSecrets: node.required_secrets,
  }));
}
