import type { Tx } from './database.ts';
import { findRecord, insertRecords, listRecords } from './records.ts';
import { defineTable, integer, json, nullable, text } from './table.ts';

/** A node of a package version. */
export interface Node {
  tenantId: string;
  /** ULID, unique over all tenants: the `node_ulid` of the API. */
  id: string;
  versionId: string;
  /** Place in the published list, from 0. */
  position: number;
  name: string;
  mode: 'unary' | 'pipeline';
  kind: 'standard' | 'generic';
  /** Ports without a message of their own, which an Instance binds. */
  genericPorts: ('input' | 'output')[];
  /** Full message names; `null` for a generic port. */
  inputMessage: string | null;
  outputMessage: string | null;
  description: string;
  requiredSecrets: string[];
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
});

export async function insertNodes(tx: Tx, records: readonly Node[]): Promise<void> {
  await insertRecords(tx, nodes, records);
}

/** In published order. */
export async function listNodes(tx: Tx, tenantId: string, versionId: string): Promise<Node[]> {
  return listRecords(tx, nodes, { tenantId, versionId }, ['position']);
}

export async function findNodeByName(
  tx: Tx,
  tenantId: string,
  versionId: string,
  name: string,
): Promise<Node | undefined> {
  return findRecord(tx, nodes, { tenantId, versionId, name });
}

/** Of whichever tenant: whether the caller may see it is the caller's to check, by the package's visibility. */
export async function findNodeByUlid(tx: Tx, id: string): Promise<Node | undefined> {
  return findRecord(tx, nodes, { id });
}
