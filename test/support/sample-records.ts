import { systemClock } from '../../service/clock.ts';
import { createIds } from '../../service/ids.ts';
import type { ApiKey } from '../../service/store/api-keys.ts';
import type { ClientBuild } from '../../service/store/client-builds.ts';
import type { ClientMember } from '../../service/store/client-members.ts';
import { type Client, insertClient } from '../../service/store/clients.ts';
import type { Tx } from '../../service/store/database.ts';
import type { Execution } from '../../service/store/executions.ts';
import type { Graph } from '../../service/store/graphs.ts';
import type { SplitStream } from '../../service/store/split-streams.ts';
import type { Node } from '../../service/store/nodes.ts';
import { insertPackageVersion, type PackageVersion } from '../../service/store/package-versions.ts';
import { insertPackage, type Package } from '../../service/store/packages.ts';
import { insertTenant, type Tenant } from '../../service/store/tenants.ts';

const ids = createIds(systemClock);

/** Later than 2^31, to detect a 32-bit column. */
export const someTime = 1_795_000_000_123;

/** Text that a careless layer would change or reject. */
export const hostileText = `'; drop table tenants; -- "\\ \` ? :name $1 @x %s\n\t😀 ‮ é é \u{10ffff}`;

/** Returns a complete record with a unique id, and with the fields that a test gives. */
export function sampleTenant(fields: Partial<Tenant> = {}): Tenant {
  const id = ids.ulid();
  return {
    id,
    handle: `t-${id.toLowerCase()}`,
    status: 'active',
    limits: {},
    createdAt: someTime,
    ...fields,
  };
}

export function sampleKey(tenantId: string, fields: Partial<ApiKey> = {}): ApiKey {
  return {
    tenantId,
    id: ids.ulid(),
    name: 'cli',
    kind: 'full',
    keyHash: ids.hex(32),
    keyHint: 'c0de',
    scopes: ['read', 'write', 'invoke'],
    graphIds: [],
    allowedOrigins: [],
    rateRps: 5,
    rateBurst: 10,
    createdAt: someTime,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    ...fields,
  };
}

export function samplePackage(tenantId: string, fields: Partial<Package> = {}): Package {
  const id = ids.ulid();
  return {
    tenantId,
    id,
    handle: 'acme',
    name: `p-${id.toLowerCase()}`,
    visibility: 'private',
    description: '',
    createdAt: someTime,
    ...fields,
  };
}

export function sampleVersion(
  { tenantId, id }: Package,
  fields: Partial<PackageVersion> = {},
): PackageVersion {
  return {
    tenantId,
    id: ids.ulid(),
    packageId: id,
    version: '1.0.0',
    description: '',
    contentHash: 'a1',
    protos: { 'a.proto': 'syntax = "proto3";' },
    descriptorSet: new Uint8Array([10, 0]),
    endpoint: null,
    sealedToken: null,
    verification: null,
    createdAt: someTime,
    ...fields,
  };
}

export function sampleNode({ tenantId, id }: PackageVersion, fields: Partial<Node> = {}): Node {
  return {
    tenantId,
    id: ids.ulid(),
    versionId: id,
    position: 0,
    name: 'Tokenize',
    mode: 'unary',
    kind: 'standard',
    genericPorts: [],
    inputMessage: 'acme.In',
    outputMessage: 'acme.Out',
    description: '',
    requiredSecrets: [],
    sample: null,
    ...fields,
  };
}

export function sampleClient(tenantId: string, fields: Partial<Client> = {}): Client {
  const id = ids.ulid();
  return {
    tenantId,
    id,
    name: `Client ${id}`,
    slug: `client-${id.toLowerCase()}`,
    description: '',
    defaultLanguage: 'typescript',
    metadata: {},
    latestVersion: 0,
    createdAt: someTime,
    updatedAt: someTime,
    ...fields,
  };
}

export function sampleGraph(tenantId: string, fields: Partial<Graph> = {}): Graph {
  const id = ids.ulid();
  return {
    tenantId,
    id,
    artifactId: id,
    name: 'Keywords',
    description: '',
    mode: 'unary',
    inputMessage: 'acme.In',
    outputMessage: 'acme.Out',
    mockedNodes: [],
    requiredSecrets: [],
    warnings: [],
    document: {},
    compiled: { nodes: [] },
    createdAt: someTime,
    ...fields,
  };
}

export function sampleMember({ tenantId, id }: Client, fields: Partial<ClientMember> = {}): ClientMember {
  return {
    tenantId,
    id: ids.ulid(),
    clientId: id,
    memberType: 'node',
    alias: 'tokenize',
    packageName: 'acme/text',
    packageVersion: '1.0.0',
    nodeUlid: ids.ulid(),
    artifactId: null,
    createdAt: someTime,
    ...fields,
  };
}

export function sampleBuild({ tenantId, id }: Client, fields: Partial<ClientBuild> = {}): ClientBuild {
  return {
    tenantId,
    id: ids.ulid(),
    clientId: id,
    version: 1,
    language: 'typescript',
    status: 'pending',
    error: null,
    sha256: null,
    size: null,
    createdAt: someTime,
    leaseOwner: null,
    leaseUntil: null,
    ...fields,
  };
}

export function sampleExecution(tenantId: string, fields: Partial<Execution> = {}): Execution {
  return {
    tenantId,
    id: ids.executionId(),
    graphId: null,
    graphArtifactId: null,
    nodeId: ids.ulid(),
    nodeFqn: 'acme/text/1.0.0/Tokenize',
    status: 'COMPLETED',
    errorMessage: null,
    failureKind: null,
    failedNode: null,
    createdAt: someTime,
    updatedAt: someTime,
    completedAt: someTime,
    lineageRootExecutionId: null,
    forkedFromExecutionId: null,
    mutationEnabled: false,
    mutationSeq: 0,
    mockedNodeCount: 0,
    ...fields,
  };
}

export function sampleStream(tenantId: string, fields: Partial<SplitStream> = {}): SplitStream {
  return {
    tenantId,
    id: ids.ulid(),
    executionId: ids.executionId(),
    nodeId: ids.ulid(),
    nodeFqn: 'acme/streams/1.0.0/Flow',
    status: 'created',
    owner: null,
    inputFrames: 0,
    frames: 0,
    error: null,
    createdAt: someTime,
    expiresAt: someTime,
    ...fields,
  };
}

/** Stores the same record with its parents. */
export async function storedTenant(tx: Tx, fields: Partial<Tenant> = {}): Promise<Tenant> {
  const tenant = sampleTenant(fields);
  await insertTenant(tx, tenant);
  return tenant;
}

export async function storedVersion(tx: Tx, tenantId: string): Promise<PackageVersion> {
  const record = samplePackage(tenantId);
  await insertPackage(tx, record);
  const version = sampleVersion(record);
  await insertPackageVersion(tx, version);
  return version;
}

export async function storedClient(tx: Tx, tenantId: string, fields: Partial<Client> = {}): Promise<Client> {
  const client = sampleClient(tenantId, fields);
  await insertClient(tx, client);
  return client;
}
