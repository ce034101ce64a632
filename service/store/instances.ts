import type { Tx } from './database.ts';
import { findRecord, insertRecords, listRecords } from './records.ts';
import { bytes, defineTable, integer, nullable, text } from './table.ts';

/** What a node of an Instance calls, and with which messages (SPEC.md, Instance row). Written once, never changed. */
export interface Instance {
  tenantId: string;
  /** The node that callers see. */
  nodeId: string;
  packageId: string;
  versionId: string;
  /** The generic node's, of whichever tenant. */
  genericTenantId: string;
  genericVersionId: string;
  genericNodeId: string;
  /** `<handle>/<name>`, the pinned version, and the node's name there. */
  genericPackage: string;
  genericVersion: string;
  genericNode: string;
  /** Full names, whichever ports are bound. */
  inputMessage: string | null;
  outputMessage: string | null;
  /** `google.protobuf.FileDescriptorSet` of the bound messages alone, without source info. */
  descriptorSet: Uint8Array;
  createdAt: number;
}

const instances = defineTable<Instance>('instances', {
  tenantId: text(),
  nodeId: text(),
  packageId: text(),
  versionId: text(),
  genericTenantId: text(),
  genericVersionId: text(),
  genericNodeId: text(),
  genericPackage: text(),
  genericVersion: text(),
  genericNode: text(),
  inputMessage: nullable(text()),
  outputMessage: nullable(text()),
  descriptorSet: bytes(),
  createdAt: integer(),
});

export async function insertInstance(tx: Tx, record: Instance): Promise<void> {
  await insertRecords(tx, instances, [record]);
}

/** `undefined`: the node is no Instance's. */
export async function findInstance(tx: Tx, tenantId: string, nodeId: string): Promise<Instance | undefined> {
  return findRecord(tx, instances, { tenantId, nodeId });
}

/** One of the Instances of a package; `undefined`: it holds none, and was published. */
export async function findInstanceOfPackage(
  tx: Tx,
  tenantId: string,
  packageId: string,
): Promise<Instance | undefined> {
  return findRecord(tx, instances, { tenantId, packageId });
}

export async function listInstancesOfPackage(
  tx: Tx,
  tenantId: string,
  packageId: string,
): Promise<Instance[]> {
  return listRecords(tx, instances, { tenantId, packageId }, ['createdAt', 'nodeId']);
}
