import type { Json } from '../errors/api-error.ts';
import type { Tx } from './database.ts';
import { findRecord, insertRecords, readParts } from './records.ts';
import { bigInteger, columnNames, defineTable, exactJson, fromRow, json, text, toRow } from './table.ts';

/** A compiled flow, as in lists. */
export interface GraphSummary {
  tenantId: string;
  /** `[A-Za-z0-9_-]+` */
  id: string;
  artifactId: string;
  name: string;
  description: string;
  mode: 'unary' | 'pipeline';
  /** Full message names. */
  inputMessage: string;
  outputMessage: string;
  /** Ids of the mocked nodes. */
  mockedNodes: string[];
  /** Names of secrets. */
  requiredSecrets: string[];
  /** The compiler's warnings. */
  warnings: { code: string; node?: string; edge?: string; message: string }[];
  createdAt: number;
}

/** A compiled flow. Immutable: each document compiles to its own graph. */
export interface Graph extends GraphSummary {
  /** A `CompiledGraph`, which the engine runs. */
  compiled: Json;
  /** The source in canonical form, with pinned versions. */
  document: Json;
}

const summaries = defineTable<GraphSummary>('graphs', {
  tenantId: text(),
  id: text(),
  artifactId: text(),
  name: text(),
  description: text(),
  mode: text(),
  inputMessage: text(),
  outputMessage: text(),
  mockedNodes: json(),
  requiredSecrets: json(),
  warnings: json(),
  createdAt: bigInteger(),
});

const graphs = defineTable<Graph>('graphs', {
  ...summaries.columns,
  compiled: exactJson(),
  document: exactJson(),
});

/** A package version that a graph uses, which may belong to another tenant. */
const graphVersions = defineTable<{ tenantId: string; graphId: string; versionId: string }>(
  'graph_versions',
  {
    tenantId: text(),
    graphId: text(),
    versionId: text(),
  },
);

/**
 * Stores a graph. Returns false if it is already stored. Equal ids mean equal graphs.
 *
 * @param versionIds the package versions of its nodes, each once
 */
export async function insertGraph(tx: Tx, record: Graph, versionIds: readonly string[]): Promise<boolean> {
  const inserted: unknown[] = await tx(graphs.name)
    .insert(toRow(graphs, record))
    .onConflict(['tenant_id', 'id'])
    .ignore()
    .returning('id');
  if (inserted.length === 0) return false;
  const { tenantId, id: graphId } = record;
  await insertRecords(
    tx,
    graphVersions,
    versionIds.map((versionId) => ({ tenantId, graphId, versionId })),
  );
  return true;
}

/** Returns the graph with its document and its compiled form, which are parsed anew on each call. */
export async function findGraph(tx: Tx, tenantId: string, id: string): Promise<Graph | undefined> {
  return findRecord(tx, graphs, { tenantId, id });
}

/** Finds the tenant's graphs with these ids, and reports whether they have mocks. Unknown ids are omitted. */
export async function findGraphMocks(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, boolean>> {
  const rows = (await tx(graphs.name)
    .select('id', 'mocked_nodes')
    .where({ tenant_id: tenantId })
    .whereIn('id', ids)) as { id: string; mocked_nodes: string }[];
  return new Map(rows.map(({ id, mocked_nodes: mocked }) => [id, mocked !== '[]']));
}

/** Reports whether any tenant has the graph. */
export async function graphExists(tx: Tx, id: string): Promise<boolean> {
  return (await tx(graphs.name).select('id').where({ id }).first()) !== undefined;
}

/** Reads the tenant's graphs in parts, newest first. */
export async function* readGraphs(tx: Tx, tenantId: string): AsyncGenerator<GraphSummary[], void, undefined> {
  const graphs = () => tx(summaries.name).select(columnNames(summaries)).where({ tenant_id: tenantId });
  for await (const rows of readParts(graphs, 'desc')) yield rows.map((row) => fromRow(summaries, row));
}
