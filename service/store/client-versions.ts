import type { Json } from '../errors/api-error.ts';
import type { Tx } from './database.ts';
import { findRecord, insertRecords, listRecords } from './records.ts';
import { bigInteger, defineTable, integer, json, text } from './table.ts';

/** An immutable version of a client. Its builds use the snapshot, not the current members. */
export interface ClientVersion {
  tenantId: string;
  clientId: string;
  /** Starts at 1. */
  version: number;
  /** Version of the SDK packages. */
  semver: string;
  /** The members with everything that a build needs: a `ClientSnapshot`. */
  snapshot: Json;
  createdAt: number;
}

const versions = defineTable<ClientVersion>('client_versions', {
  tenantId: text(),
  clientId: text(),
  version: integer(),
  semver: text(),
  snapshot: json(),
  createdAt: bigInteger(),
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

/** Lists versions in ascending order. */
export async function listClientVersions(
  tx: Tx,
  tenantId: string,
  clientId: string,
): Promise<ClientVersion[]> {
  return listRecords(tx, versions, { tenantId, clientId }, ['version']);
}
