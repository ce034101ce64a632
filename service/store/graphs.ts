import type { Json } from '../errors/api-error.ts';
import type { Tx } from './database.ts';
import { findRecord } from './records.ts';
import { columnNames, defineTable, fromRow, integer, json, text, toRow } from './table.ts';

/** A compiled flow as lists show it. */
export interface GraphSummary {
  tenantId: string;
  /** `[A-Za-z0-9_-]+` */
  id: string;
  artifactId: string;
  name: string;
  description: string;
  mode: 'unary' | 'pipeline';
  /** Full names. */
  inputMessage: string;
  outputMessage: string;
  /** Ids of the nodes that answer from a fixture. */
  mockedNodes: string[];
  /** Names. */
  requiredSecrets: string[];
  /** Of the compiler: `CompileWarning`s. */
  warnings: { code: string; node?: string; edge?: string; message: string }[];
  createdAt: number;
}

/** Immutable: another document is another graph. */
export interface Graph extends GraphSummary {
  /** What the engine runs: a `CompiledGraph`. */
  compiled: Json;
  /** What it was compiled from, in canonical form with pinned versions. */
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
  createdAt: integer(),
});

const graphs = defineTable<Graph>('graphs', { ...summaries.columns, compiled: json(), document: json() });

/** Whether it was stored: `false` when a graph of that id stands, which then is the same one. */
export async function insertGraph(tx: Tx, record: Graph): Promise<boolean> {
  const inserted: unknown[] = await tx(graphs.name)
    .insert(toRow(graphs, record))
    .onConflict(['tenant_id', 'id'])
    .ignore()
    .returning('id');
  return inserted.length > 0;
}

export async function findGraph(tx: Tx, tenantId: string, id: string): Promise<Graph | undefined> {
  return findRecord(tx, graphs, { tenantId, id });
}

/** Whether any tenant has it. */
export async function graphExists(tx: Tx, id: string): Promise<boolean> {
  return (await tx(graphs.name).select('id').where({ id }).first()) !== undefined;
}

/** Newest first. */
export async function listGraphs(tx: Tx, tenantId: string): Promise<GraphSummary[]> {
  const rows = (await tx(summaries.name)
    .select(columnNames(summaries))
    .where({ tenant_id: tenantId })
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])) as Record<string, unknown>[];
  return rows.map((row) => fromRow(summaries, row));
}
