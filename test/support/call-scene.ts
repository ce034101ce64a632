import { rm } from 'node:fs/promises';
import type { CallableNode } from '../../service/nodes/call/callable-node.ts';
import type { Database } from '../../service/store/database.ts';
import { insertInstance } from '../../service/store/instances.ts';
import { migrateDatabase } from '../../service/store/migrate.ts';
import { insertNodes, type Node } from '../../service/store/nodes.ts';
import { openDatabase } from '../../service/store/open-database.ts';
import {
  insertPackageVersion,
  type PackageVersion,
  setEndpoint,
} from '../../service/store/package-versions.ts';
import { insertPackage, type Package, updatePackage } from '../../service/store/packages.ts';
import type { Tenant } from '../../service/store/tenants.ts';
import { compiledRegistry } from './compiled-protos.ts';
import { migratedSqliteOptions } from './databases.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';
import { sampleNode, samplePackage, sampleVersion, storedTenant } from './sample-records.ts';

/** A stored package version with one node. */
export interface ScenePackage {
  node: Node;
  version: PackageVersion;
  callable: CallableNode;
  /** The initial endpoint; empty for a shell package. */
  endpoint: string;
  setVisibility(visibility: Package['visibility']): Promise<void>;
  setEndpoint(endpoint: string | null): Promise<boolean>;
}

/** Nodes to call: a standard one, a generic one, and an Instance that binds the generic one. All packages are public. */
export interface CallScene {
  db: Database;
  clock: ManualClock;
  /** Owns the packages. */
  owner: Tenant;
  stranger: Tenant;
  /** `acme/text/1.0.0/Tokenize`, from `acme.In` to `acme.Out`; declares the secret TOKEN. */
  standard: ScenePackage;
  generic: ScenePackage;
  instance: ScenePackage;
  close(): Promise<void>;
}

const protos = {
  'a.proto':
    'syntax = "proto3"; package acme; message In { string text = 1; } message Out { string text = 1; }',
};

export async function callScene(): Promise<CallScene> {
  const options = await migratedSqliteOptions();
  const db = await openDatabase(options);
  await migrateDatabase(db);
  const { knex } = db;
  const owner = await storedTenant(knex, { handle: 'acme' });
  const stranger = await storedTenant(knex);
  const { descriptorSet } = await compiledRegistry(protos);

  const store = async (
    name: string,
    version: Partial<PackageVersion>,
    node: Partial<Node>,
  ): Promise<ScenePackage> => {
    const parent = samplePackage(owner.id, { name, visibility: 'public' });
    await insertPackage(knex, parent);
    const stored = sampleVersion(parent, { descriptorSet, ...version });
    await insertPackageVersion(knex, stored);
    const placed = sampleNode(stored, node);
    await insertNodes(knex, [placed]);
    return {
      node: placed,
      version: stored,
      callable: {
        packageName: `acme/${name}`,
        nodeName: placed.name,
        nodeUlid: placed.id,
        ownerTenantId: owner.id,
        versionId: stored.id,
      },
      endpoint: stored.endpoint ?? '',
      setVisibility: (visibility) =>
        updatePackage(knex, owner.id, parent.id, { description: '', visibility }),
      setEndpoint: (endpoint) => setEndpoint(knex, owner.id, stored.id, endpoint),
    };
  };

  const standard = await store('text', { endpoint: 'grpc://127.0.0.1:7001' }, { requiredSecrets: ['TOKEN'] });
  const generic = await store(
    'generic',
    { endpoint: 'grpc://127.0.0.1:7002' },
    {
      name: 'Echo',
      kind: 'generic',
      genericPorts: ['input', 'output'],
      inputMessage: null,
      outputMessage: null,
    },
  );
  const shell = await store('bound', { version: '0.1.0' }, { name: 'Bound' });
  await insertInstance(knex, {
    tenantId: owner.id,
    nodeId: shell.node.id,
    packageId: shell.version.packageId,
    versionId: shell.version.id,
    genericTenantId: owner.id,
    genericVersionId: generic.version.id,
    genericNodeId: generic.node.id,
    genericPackage: 'acme/generic',
    genericVersion: '1.0.0',
    genericNode: 'Echo',
    inputMessage: 'acme.In',
    outputMessage: 'acme.Out',
    descriptorSet: new Uint8Array([10, 0]),
    createdAt: 0,
  });
  const callable = { ...shell.callable, generic: { instance: 'acme/bound@0.1.0' } };
  return {
    db,
    clock: manualClock(),
    owner,
    stranger,
    standard,
    generic,
    instance: { ...shell, callable },
    close: async () => {
      await db.close();
      await rm(options.dataDir, { recursive: true, force: true });
    },
  };
}
