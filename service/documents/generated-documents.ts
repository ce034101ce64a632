import type { LanguageFolders } from '../builds/load-language.ts';
import type { CompiledGraph, CompiledNode } from '../engine/graph/compiled-graph.ts';
import type { VersionTypes } from '../engine/graph/version-types.ts';
import { graphNotFound } from '../errors/graph-errors.ts';
import { nodeSchemaNotFound, packageNotFound, packageVersionNotFound } from '../errors/package-errors.ts';
import { latestVersion } from '../nodes/latest-version.ts';
import type { Database } from '../store/database.ts';
import { findGraph } from '../store/graphs.ts';
import { findDeployment } from '../store/hot/find-deployment.ts';
import { findNodeByUlid, listNodes, type Node } from '../store/nodes.ts';
import { listPackageVersions } from '../store/package-versions.ts';
import { findPackage, type Package } from '../store/packages.ts';
import type { Tenant } from '../store/tenants.ts';
import { createByteCache } from './byte-cache.ts';
import { createDocumentThread } from './document-thread.ts';
import type { MadeDocument } from './document-worker.ts';
import type { DocumentJob } from './make-document.ts';

/** A text form of a document. */
export type DocumentFormat = 'json' | 'yaml';

export interface PackageRef {
  owner: string;
  package: string;
  /** Semver, or `latest`. */
  version: string;
}

/**
 * Documents of what is published, for whoever may see it: `tenant` is the caller's, undefined for nobody in particular.
 *
 * @throws ApiError 404 for what is unknown, or private to another tenant
 */
export interface GeneratedDocuments {
  /** OpenAPI 3.0 (SPEC.md, Generated specs). */
  ofPackage(tenant: Tenant | undefined, ref: PackageRef, format: DocumentFormat): Promise<MadeDocument>;
  ofFlow(tenant: Tenant, artifactId: string, format: DocumentFormat): Promise<MadeDocument>;
  /** `{input, output}`, each a JSON Schema or null (DESIGN.md 7). */
  ofNode(tenant: Tenant | undefined, ulid: string): Promise<MadeDocument>;
  /** Ends the thread that makes them. */
  close(): Promise<void>;
}

export interface GeneratedDocumentOptions {
  db: Database;
  types: VersionTypes;
  /** `{base_url}` of the documents, without a slash at its end; asked for with each one. */
  baseUrl: () => string;
  goModulePrefix: string;
  /** Where languages are loaded from, for programs that call what is described. */
  folders?: LanguageFolders | undefined;
}

/** Documents are made of what never changes, so they are kept until others need the room. */
const keptDocumentBytes = 64 * 2 ** 20;

/**
 * Reads what is needed to tell who may see what on every call, and makes a document once: versions and artifacts never change.
 */
export function createGeneratedDocuments(options: GeneratedDocumentOptions): GeneratedDocuments {
  const { db, types, goModulePrefix } = options;
  const { knex } = db;
  const cache = createByteCache<MadeDocument>({
    keptBytes: keptDocumentBytes,
    sizeOf: ({ bytes }) => bytes.byteLength,
  });
  const thread = createDocumentThread({ folders: options.folders });
  const address = () => ({ baseUrl: options.baseUrl(), goModulePrefix });

  /** YAML is made of the JSON text, which is kept too. */
  const kept = async (
    key: string,
    format: DocumentFormat,
    job: () => Promise<DocumentJob>,
  ): Promise<MadeDocument> => {
    const base = `${options.baseUrl()} ${key}`;
    const json = await cache.get(`${base} json`, async () => thread.make(await job()));
    if (format === 'json') return json;
    return cache.get(`${base} yaml`, () => thread.make({ kind: 'yaml', json: json.bytes }));
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
      // A package's description is that of the version published last.
      // A version that holds Instances grows by further ones.
      return kept(`package ${version.id} ${version.contentHash} ${owner.description}`, format, async () => {
        const nodes = await listNodes(knex, version.tenantId, version.id);
        const { descriptorSet } = await types.registry(knex, version.tenantId, version.id, messagesOf(nodes));
        const source = { owner, version: version.version, versionId: version.id, nodes, descriptorSet };
        return { kind: 'package', source, address: address() };
      });
    },

    ofFlow: async (tenant, artifactId, format) => {
      const graph = await findGraph(knex, tenant.id, artifactId);
      if (!graph) throw graphNotFound();
      return kept(`flow ${tenant.id} ${graph.id}`, format, async () => {
        // Only compiling writes that column.
        const compiled = graph.compiled as unknown as CompiledGraph;
        const source = {
          compiled,
          handle: tenant.handle,
          inputTypes: await sourceOfEnd(nodeOf(compiled, compiled.entry)),
          outputTypes: await sourceOfEnd(nodeOf(compiled, compiled.terminal)),
        };
        return { kind: 'flow', source, address: address() };
      });
    },

    ofNode: async (tenant, ulid) => {
      const node = await findNodeByUlid(knex, ulid);
      const deployment = node && (await findDeployment(db, node.tenantId, node.versionId));
      const owner = node && deployment && { ...deployment, tenantId: node.tenantId };
      if (!owner || !mayRead(tenant, owner)) throw nodeSchemaNotFound();
      return kept(`node ${node.id}`, 'json', async () => {
        const { tenantId, versionId, inputMessage: input, outputMessage: output } = node;
        const { descriptorSet } = await types.registry(knex, tenantId, versionId, messagesOf([node]));
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

/** Full names; generic ports have none. */
function messagesOf(nodes: readonly Node[]): string[] {
  return nodes
    .flatMap(({ inputMessage, outputMessage }) => [inputMessage, outputMessage])
    .filter((name) => name !== null);
}

function nodeOf({ nodes, graphId }: CompiledGraph, id: string): CompiledNode {
  const node = nodes.find((each) => each.id === id);
  if (!node) throw new Error(`flow ${graphId} has no node "${id}"`);
  return node;
}
