import type { JsonValue } from '@bufbuild/protobuf';
import type { Tx } from './database.ts';
import { findRecord, insertRecords, listRecords } from './records.ts';
import { defineTable, integer, json, nullable, text } from './table.ts';

/** A node of a package version. */
export interface Node {
  tenantId: string;
  /** ULID, unique across tenants: the `node_ulid` of the API. */
  id: string;
  versionId: string;
  /** Index in the published list, from 0. */
  position: number;
  name: string;
  mode: 'unary' | 'pipeline';
  kind: 'standard' | 'generic';
  /** Ports without a message, which an Instance binds. */
  genericPorts: ('input' | 'output')[];
  /** Full message names, or `null` for a generic port. */
  inputMessage: string | null;
  outputMessage: string | null;
  description: string;
  requiredSecrets: string[];
  /** The publisher's sample of the input, canonical ProtoJSON. */
  sample: JsonValue | null;
}

const nodes = defineTable<Node>('nodes', {
  tenantId: text(),
  id: text(),
  versionId: text(),
  position: integer(),
  name: text(),
  mode: text(),
  kind: text(),
  genericPorts: json(),
  inputMessage: nullable(text()),
  outputMessage: nullable(text()),
  description: text(),
  requiredSecrets: json(),
  sample: nullable(json()),
});

/**
 * Stores the nodes of a package version, which must already be stored. Call it in a transaction: a long list takes several
 * statements.
 */
export async function insertNodes(tx: Tx, records: readonly Node[]): Promise<void> {
  await insertRecords(tx, nodes, records);
}

/** Lists nodes in published order. */
export async function listNodes(tx: Tx, tenantId: string, versionId: string): Promise<Node[]> {
  return listRecords(tx, nodes, { tenantId, versionId }, ['position']);
}

/** Finds a node by its exact name. Does not check whether the version is deleted. */
export async function findNodeByName(
  tx: Tx,
  tenantId: string,
  versionId: string,
  name: string,
): Promise<Node | undefined> {
  return findRecord(tx, nodes, { tenantId, versionId, name });
}

/** Returns names by ULID. Callers must check the visibility of the packages, as for `findNodeByUlid`. */
export async function listNodeNames(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = (await tx(nodes.name).select('id', 'name').whereIn('id', ids)) as Pick<Node, 'id' | 'name'>[];
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * Returns the versions of nodes of any tenant, each once, and the number of nodes that exist. Callers must check the
 * visibility of the packages.
 */
export async function versionsOfNodes(
  tx: Tx,
  ids: readonly string[],
): Promise<{ versions: { tenantId: string; id: string }[]; nodes: number }> {
  if (ids.length === 0) return { versions: [], nodes: 0 };
  const rows = (await tx(nodes.name)
    .select('tenant_id', 'version_id')
    .count('* as nodes')
    .whereIn('id', ids)
    .groupBy('tenant_id', 'version_id')
    // Sorted, so that two transactions that lock the versions do not deadlock.
    .orderBy(['tenant_id', 'version_id'])) as {
    tenant_id: string;
    version_id: string;
    nodes: number | string;
  }[];
  return {
    versions: rows.map((row) => ({ tenantId: row.tenant_id, id: row.version_id })),
    nodes: rows.reduce((sum, row) => sum + Number(row.nodes), 0),
  };
}

/** Finds a node of any tenant. Callers must check the visibility of its package. */
export async function findNodeByUlid(tx: Tx, id: string): Promise<Node | undefined> {
  return findRecord(tx, nodes, { id });
}
