import type { Json } from '../errors/api-error.ts';
import type { Tx } from './database.ts';
import { findRecord } from './records.ts';
import { bigInteger, defineTable, integer, json, text, toRow } from './table.ts';

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

/** Stores a version. Its release is also stored in a column of its own, because snapshots can be large. */
export async function insertClientVersion(tx: Tx, record: ClientVersion): Promise<void> {
  const { release = null } = record.snapshot as { release?: Json };
  await tx(versions.name).insert({ ...toRow(versions, record), release: JSON.stringify(release) });
}

/** Returns the version with its snapshot, or `undefined` if the client has no such version. */
export async function findClientVersion(
  tx: Tx,
  tenantId: string,
  clientId: string,
  version: number,
): Promise<ClientVersion | undefined> {
  return findRecord(tx, versions, { tenantId, clientId, version });
}

/** Lists the releases up to a version, newest first. */
export async function listReleases(
  tx: Tx,
  tenantId: string,
  clientId: string,
  upTo: number,
): Promise<Json[]> {
  const rows = await tx(versions.name)
    .select<{ release: string }[]>('release')
    .where({ tenant_id: tenantId, client_id: clientId })
    .andWhere('version', '<=', upTo)
    .orderBy('version', 'desc');
  return rows.map((row) => JSON.parse(row.release) as Json);
}
