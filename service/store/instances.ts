import type { Tx } from './database.ts';
import { findRecord, insertRecords, listRecords } from './records.ts';
import { bigInteger, bytes, defineTable, nullable, text } from './table.ts';

/** The generic node that a node of an Instance calls, and its bound messages. Immutable. */
export interface Instance {
  tenantId: string;
  /** Id of the node that callers use. */
  nodeId: string;
  packageId: string;
  versionId: string;
  /** Ids of the generic node, which may belong to another tenant. */
  genericTenantId: string;
  genericVersionId: string;
  genericNodeId: string;
  /** `<handle>/<name>`, the pinned version, and the name of the generic node. */
  genericPackage: string;
  genericVersion: string;
  genericNode: string;
  /** Full message names of the bound ports. */
  inputMessage: string | null;
  outputMessage: string | null;
  /** `google.protobuf.FileDescriptorSet` of only the bound messages, without source info. */
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
  createdAt: bigInteger(),
});

/** Stores an Instance. Its node and its package must already be stored. */
export async function insertInstance(tx: Tx, record: Instance): Promise<void> {
  await insertRecords(tx, instances, [record]);
}

/** Returns the Instance of a node, or `undefined` if the node is not part of one. */
export async function findInstance(tx: Tx, tenantId: string, nodeId: string): Promise<Instance | undefined> {
  return findRecord(tx, instances, { tenantId, nodeId });
}

/** Returns an Instance of the package, or `undefined` if the package was published. */
export async function findInstanceOfPackage(
  tx: Tx,
  tenantId: string,
  packageId: string,
): Promise<Instance | undefined> {
  return findRecord(tx, instances, { tenantId, packageId });
}

/** Lists the Instances of a package, oldest first. The list of a published package is empty. */
export async function listInstancesOfPackage(
  tx: Tx,
  tenantId: string,
  packageId: string,
): Promise<Instance[]> {
  return listRecords(tx, instances, { tenantId, packageId }, ['createdAt', 'nodeId']);
}
