import type { LanguageFolders } from '../languages/load-language.ts';
import type { CompiledGraph, CompiledNode } from '../engine/graph/compiled-graph.ts';
import { messageNamesOf, type TypeRegistries } from '../nodes/type-registries.ts';
import { graphNotFound } from '../errors/graph-errors.ts';
import { nodeSchemaNotFound, packageNotFound, packageVersionNotFound } from '../errors/package-errors.ts';
import { flowRecipients } from '../engine/graph/flow-recipients.ts';
import { entrySample } from '../nodes/entry-sample.ts';
import { latestVersion } from '../nodes/latest-version.ts';
import { secretRecipients } from '../nodes/secret-recipients.ts';
import type { Database } from '../store/database.ts';
import { findGraph } from '../store/graphs.ts';
import { findDeployment } from '../store/prepared/find-deployment.ts';
import { findNodeByUlid, listNodes } from '../store/nodes.ts';
import { listPackageVersions } from '../store/package-versions.ts';
import { findPackage, type Package } from '../store/packages.ts';
import type { Tenant } from '../store/tenants.ts';
import type { FairQueue } from '../work/fair-queue.ts';
import { createDocumentCache } from './document-cache.ts';
import { createDocumentThread } from './document-thread.ts';
import type { MadeDocument } from './document-worker.ts';
import type { DocumentJob } from './make-document.ts';

type DocumentFormat = 'json' | 'yaml';

interface PackageRef {
  owner: string;
  package: string;
  /** Semver, or `latest`. */
  version: string;
}

/**
 * The generated documents of packages, flows and nodes. `tenant` is the caller's, or undefined for an anonymous caller.
 *
 * @throws ApiError 404 if the subject is unknown, or private to another tenant
 */
export interface GeneratedDocuments {
  /** OpenAPI 3.0. */
  ofPackage(tenant: Tenant | undefined, ref: PackageRef, format: DocumentFormat): Promise<MadeDocument>;
  /** OpenAPI 3.0. */
  ofFlow(tenant: Tenant, artifactId: string, format: DocumentFormat): Promise<MadeDocument>;
  /** `{input, output}`, each a JSON Schema, or null for a generic port. */
  ofNode(tenant: Tenant | undefined, ulid: string): Promise<MadeDocument>;
  /** Ends the thread that makes documents. */
  close(): Promise<void>;
}

interface GeneratedDocumentOptions {
  db: Database;
  types: TypeRegistries;
  queue: Pick<FairQueue, 'run'>;
  /** Returns the `{base_url}` of documents, without a trailing slash. Called for each document. */
  baseUrl: () => string;
  goModulePrefix: string;
  /** Where the languages of code samples are loaded from. */
  folders?: LanguageFolders | undefined;
}

/** The document of a package of 200 nodes takes a second to make, and pages request it on every visit. */
const cachedBytes = 64 * 2 ** 20;

/**
 * Checks access on every call. Makes a document once, since versions and artifacts never change. The work is attributed to the
 * owner of the subject, not to the first reader.
 */
export function createGeneratedDocuments(options: GeneratedDocumentOptions): GeneratedDocuments {
  const { db, types, queue, goModulePrefix } = options;
  const { knex } = db;
  const cache = createDocumentCache(cachedBytes);
  const thread = createDocumentThread({ folders: options.folders });
  const make = (ownerId: string, job: DocumentJob): Promise<MadeDocument> =>
    queue.run(ownerId, (signal) => thread.make(job, signal), { kind: 'document' });
  const address = () => ({ baseUrl: options.baseUrl(), goModulePrefix });

  /** YAML is converted from the JSON text, which is cached too. */
  const cached = async (
    { key, ownerId, format }: { key: string; ownerId: string; format: DocumentFormat },
    job: () => Promise<DocumentJob>,
  ): Promise<MadeDocument> => {
    const base = `${options.baseUrl()} ${key}`;
    const json = await cache.get(`${base} json`, async () => make(ownerId, await job()));
    if (format === 'json') return json;
    return cache.get(`${base} yaml`, () => make(ownerId, { kind: 'yaml', json: json.bytes }));
  };

  const sourceOfEnd = async (node: CompiledNode) => ({
    package: node.packageName,
    version: node.version,
    descriptorSet: (
      await types.registry(knex, node.ownerTenantId, node.versionId, [node.inputMessage, node.outputMessage])
    ).descriptorSet,
  });

  return {
    ofPackage: async (tenant, ref, format) => {
      const owner = await findPackage(knex, ref.owner, ref.package);
      if (!owner || !mayRead(tenant, owner)) throw packageNotFound();
      const versions = await listPackageVersions(knex, owner.tenantId, owner.id);
      const wanted = ref.version === 'latest' ? latestVersion(versions.map(nameOf)) : ref.version;
      const version = versions.find((each) => nameOf(each) === wanted);
      if (!version) throw packageVersionNotFound();
      // The content hash changes when an Instance is added to the version, and the description when a later version is published.
      const key = `package ${version.id} ${version.contentHash} ${owner.description}`;
      return cached({ key, ownerId: owner.tenantId, format }, async () => {
        const nodes = await listNodes(knex, version.tenantId, version.id);
        const { descriptorSet } = await types.registry(
          knex,
          version.tenantId,
          version.id,
          messageNamesOf(nodes),
        );
        const packageName = `${owner.handle}/${owner.name}`;
        const called = nodes.map((node) => ({ ...node, packageName }));
        const recipients = await secretRecipients(knex, undefined, called);
        const source = { owner, version: version.version, nodes, descriptorSet, recipients };
        return { kind: 'package', source, address: address() };
      });
    },

    ofFlow: async (tenant, artifactId, format) => {
      const graph = await findGraph(knex, tenant.id, artifactId);
      if (!graph) throw graphNotFound();
      return cached({ key: `flow ${tenant.id} ${graph.id}`, ownerId: tenant.id, format }, async () => {
        // Only the compiler writes this column.
        const compiled = graph.compiled as unknown as CompiledGraph;
        const source = {
          compiled,
          handle: tenant.handle,
          inputTypes: await sourceOfEnd(nodeOf(compiled, compiled.entry)),
          outputTypes: await sourceOfEnd(nodeOf(compiled, compiled.terminal)),
          sample: await entrySample(knex, compiled),
          recipients: await flowRecipients(knex, tenant.id, compiled.nodes),
        };
        return { kind: 'flow', source, address: address() };
      });
    },

    ofNode: async (tenant, ulid) => {
      const node = await findNodeByUlid(knex, ulid);
      const deployment = node && (await findDeployment(db, node.tenantId, node.versionId));
      const owner = node && deployment && { ...deployment, tenantId: node.tenantId };
      if (!owner || !mayRead(tenant, owner)) throw nodeSchemaNotFound();
      return cached({ key: `node ${node.id}`, ownerId: node.tenantId, format: 'json' }, async () => {
        const { tenantId, versionId, inputMessage: input, outputMessage: output } = node;
        const { descriptorSet } = await types.registry(knex, tenantId, versionId, messageNamesOf([node]));
        return { kind: 'node', source: { descriptorSet, input, output } };
      });
    },

    close: () => thread.close(),
  };
}

function mayRead(
  tenant: Tenant | undefined,
  { visibility, tenantId }: Pick<Package, 'visibility' | 'tenantId'>,
): boolean {
  return visibility === 'public' || tenantId === tenant?.id;
}

function nameOf({ version }: { version: string }): string {
  return version;
}

function nodeOf({ nodes, graphId }: CompiledGraph, id: string): CompiledNode {
  const node = nodes.find((each) => each.id === id);
  if (!node) throw new Error(`flow ${graphId} has no node "${id}"`);
  return node;
}
