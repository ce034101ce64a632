import type { JsonValue } from '@bufbuild/protobuf';
import type { PublishBody } from '../../specs/operations/package-shapes.ts';
import type { DeploymentTokens } from '../access/secrets/deployment-tokens.ts';
import type { Clock } from '../clock.ts';
import {
  foreignHandle,
  invalidPackage,
  packageHoldsInstances,
  protosDoNotCompile,
  tokenWithoutEndpoint,
  versionDeleted,
  versionExists,
} from '../errors/package-errors.ts';
import type { Ids } from '../ids.ts';
import type { CompiledProtos } from '../messages/compile/compile-protos.ts';
import type { ProtoCompiler } from '../messages/compile/proto-compiler.ts';
import type { NodeHost } from '../node-hosts.ts';
import { createRegistry } from '../messages/registry.ts';
import { ProtoCompileError } from '../errors/proto-compile-error.ts';
import type { Database, Tx } from '../store/database.ts';
import { isUniqueViolation } from '../store/database-errors.ts';
import { insertMessageTypes } from '../store/message-types.ts';
import { findInstanceOfPackage } from '../store/instances.ts';
import { insertNodes, listNodes, type Node } from '../store/nodes.ts';
import {
  findPackageVersion,
  insertPackageVersion,
  isVersionDeleted,
  type PackageVersion,
  setEndpoint,
} from '../store/package-versions.ts';
import { findPackage, insertPackage, type Package, updatePackage } from '../store/packages.ts';
import type { Tenant } from '../store/tenants.ts';
import { loopTurns } from '../work/turn-budget.ts';
import { checkNodes } from './check-nodes.ts';
import type { ContainerPool } from './container/container-pool.ts';
import { contentHash } from './content-hash.ts';
import { checkAllowed, sealToken } from './deploy-package.ts';
import { checkDeployment, type CheckedDeployment } from './verify/check-deployment.ts';
import { withWayBack } from './verify/replaced-deployment.ts';
import { readSamples } from './read-samples.ts';
import { contentOf } from './verify/published-content.ts';

/** What a publication needs. */
export interface PublishOptions {
  db: Database;
  clock: Clock;
  ids: Ids;
  protos: Pick<ProtoCompiler, 'compile'>;
  /** Hosts allowed in endpoints (`SVC_NODE_HOSTS`). */
  nodeHosts: readonly NodeHost[];
  /** Asks the container at an endpoint what it serves. */
  containers: Pick<ContainerPool, 'describe'>;
  /** Encrypts the token of the endpoint. */
  tokens: Pick<DeploymentTokens, 'seal'>;
}

/**
 * A published version with its package and nodes. If the version had been published before, `version` is its
 * state before this publication, and the new endpoint is in `deployment`.
 */
export interface Publication {
  package: Package;
  version: PackageVersion;
  /** In published order. */
  nodes: Node[];
  /** Set if the publication names an endpoint. */
  deployment: CheckedDeployment | undefined;
  /** False if the version was already published with the same content. */
  created: boolean;
}

/**
 * Publishes one version of a package for a tenant, in one transaction. Publishing the same content again changes only the
 * package's description and visibility, and the endpoint with its token if one is given. The container at the endpoint is first
 * asked what it serves.
 */
export async function publishPackage(
  options: PublishOptions,
  tenant: Tenant,
  body: PublishBody,
  signal?: AbortSignal,
): Promise<Publication> {
  if (!body.name.startsWith(`${tenant.handle}/`)) throw foreignHandle(body.name, tenant.handle);
  if (body.token !== undefined && body.endpoint === undefined) throw tokenWithoutEndpoint();
  if (body.endpoint !== undefined) checkAllowed(body.endpoint, options.nodeHosts, tenant);
  const compiled = await compile(options, tenant, body.protos, signal);
  const { descriptorSet } = compiled;
  const messages = new Set(compiled.messages);
  const problems = checkNodes(body.nodes, messages);
  if (problems.length > 0) throw invalidPackage(problems);
  // Linking and hashing the largest sources take 85 and 20 ms, so each runs in a turn of its own.
  await loopTurns.yieldIfSpent();
  const registry = createRegistry(descriptorSet);
  await loopTurns.yieldIfSpent();
  const read = await readSamples(body.nodes, registry);
  if (!read.ok) throw invalidPackage(read.problems);
  const hash = contentHash(body);
  await loopTurns.yieldIfSpent();
  // A container is not asked about a version that cannot be published: the container's response would hide
  // the reason.
  await refuseOtherContent(options.db.knex, tenant, body, hash);
  const deployment =
    body.endpoint === undefined
      ? undefined
      : await checkDeployment(
          options.containers,
          { endpoint: body.endpoint, owner: tenant.handle, token: body.token },
          contentOf(body, registry),
        );

  const publish = () =>
    options.db.transaction(async (tx) => {
      const owner = await packageOf(tx, options, tenant, body);
      const found = await findPackageVersion(tx, tenant.id, owner.id, body.version);
      if (found) return republish(tx, options, { owner, found, body, hash, deployment });
      if (await isVersionDeleted(tx, tenant.id, owner.id, body.version)) {
        throw versionDeleted(body.name, body.version);
      }
      const key = { tenantId: tenant.id, id: options.ids.ulid() };
      const version: PackageVersion = {
        ...key,
        packageId: owner.id,
        version: body.version,
        description: body.description,
        contentHash: hash,
        protos: body.protos,
        descriptorSet,
        endpoint: deployment?.endpoint ?? null,
        verification: deployment?.verification ?? null,
        sealedToken: await sealToken(tx, options.tokens, key, body.token),
        createdAt: options.clock.now(),
      };
      const nodes = nodesOf(options.ids, version, body, read.samples);
      await insertPackageVersion(tx, version);
      await insertNodes(tx, nodes);
      await insertMessageTypes(tx, { tenantId: tenant.id, versionId: version.id }, ownMessages(messages));
      return { package: owner, version, nodes, deployment, created: true };
    });
  try {
    return await publish();
  } catch (error) {
    // The loser of two concurrent publications retries and finds the winner's version.
    if (isUniqueViolation(error)) return publish();
    throw error;
  }
}

/** @throws ApiError 409 if the version is published with other content */
async function refuseOtherContent(tx: Tx, tenant: Tenant, body: PublishBody, hash: string): Promise<void> {
  const owner = await findPackage(tx, tenant.handle, nameOf(tenant, body));
  const found = owner && (await findPackageVersion(tx, tenant.id, owner.id, body.version));
  if (found && found.contentHash !== hash) throw versionExists(body.name, body.version);
}

/** Returns the name of a package without the handle of its tenant. */
function nameOf({ handle }: Tenant, { name }: PublishBody): string {
  return name.slice(handle.length + 1);
}

/** Excludes the well-known types. */
function ownMessages(messages: ReadonlySet<string>): string[] {
  return [...messages].filter((name) => !name.startsWith('google.protobuf.'));
}

async function compile(
  { protos }: PublishOptions,
  tenant: Tenant,
  sources: Record<string, string>,
  signal: AbortSignal | undefined,
): Promise<CompiledProtos> {
  try {
    return await protos.compile(tenant.id, sources, signal);
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
  const name = nameOf(tenant, body);
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

interface Republication {
  owner: Package;
  found: PackageVersion;
  body: PublishBody;
  /** Hash of the content of `body`. */
  hash: string;
  deployment: CheckedDeployment | undefined;
}

async function republish(
  tx: Tx,
  options: PublishOptions,
  { owner, found, body, hash, deployment }: Republication,
): Promise<Publication> {
  if (found.contentHash !== hash) throw versionExists(body.name, body.version);
  if (deployment) {
    const { endpoint, verification } = deployment;
    const sealedToken = await sealToken(tx, options.tokens, found, body.token);
    const { tenantId } = owner;
    const set = await setEndpoint(tx, tenantId, found.id, endpoint, { verification, sealedToken });
    if (!set) throw versionDeleted(body.name, body.version);
  }
  return {
    package: owner,
    version: found,
    nodes: await listNodes(tx, owner.tenantId, found.id),
    deployment: deployment && withWayBack(deployment, found),
    created: false,
  };
}

function nodesOf(
  ids: Ids,
  version: PackageVersion,
  body: PublishBody,
  samples: ReadonlyMap<string, JsonValue>,
): Node[] {
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
    sample: samples.get(node.name) ?? null,
  }));
}
