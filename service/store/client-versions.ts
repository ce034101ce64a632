import type { Json } from '../errors/api-error.ts';
import type { Tx } from './database.ts';
import { findRecord, insertRecords, listRecords } from './records.ts';
import { defineTable, integer, json, text } from './table.ts';

/** A frozen version of a client: what its builds are made from, whatever becomes of the members. */
export interface ClientVersion {
  tenantId: string;
  clientId: string;
  /** From 1. */
  version: number;
  /** The version that the SDK packages carry. */
  semver: string;
  /** The members as they were, with all that a build needs to know. */
  snapshot: Json;
  createdAt: number;
}

const versions = defineTable<ClientVersion>('client_versions', {
  tenantId: text(),
  clientId: text(),
  version: integer(),
  semver: text(),
  snapshot: json(),
  createdAt: integer(),
});

export async function insertClientVersion(tx: Tx, record: ClientVersion): Promise<void> {
  await insertRecords(tx, versions, [record]);
}

export async function findClientVersion(
  tx: Tx,
  tenantId: string,
  clientId: string,
  version: number,
): Promise<ClientVersion | undefined> {
  return findRecord(tx, versions, { tenantId, clientId, version });
}

/** From version 1 on. */
export async function listClientVersions(
  tx: Tx,
  tenantId: string,
  clientId: string,
): Promise<ClientVersion[]> {
  return listRecords(tx, versions, { tenantId, clientId }, ['version']);
}
