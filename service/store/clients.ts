import type { PackageMetadata } from '../../generator/model/sdk-model.ts';
import type { Tx } from './database.ts';
import { deleteRecords, findRecord, insertRecords, readParts, updateRecords } from './records.ts';
import { bigInteger, columnNames, defineTable, fromRow, integer, json, text } from './table.ts';

/** A tenant's selection of nodes and flows to build SDKs for. */
export interface Client {
  tenantId: string;
  id: string;
  name: string;
  /** Derived from the name. Names SDK packages and archives, and is unique within the tenant. */
  slug: string;
  description: string;
  defaultLanguage: string;
  metadata: PackageMetadata;
  /** 0 until the first build. */
  latestVersion: number;
  createdAt: number;
  updatedAt: number;
}

/** A client as in lists, with its member and version counts. */
export interface CountedClient extends Client {
  memberCount: number;
  versionCount: number;
}

const clients = defineTable<Client>('clients', {
  tenantId: text(),
  id: text(),
  name: text(),
  slug: text(),
  description: text(),
  defaultLanguage: text(),
  metadata: json(),
  latestVersion: integer(),
  createdAt: bigInteger(),
  updatedAt: bigInteger(),
});

/** Unique indexes over name and slug. */
export const clientNameTaken = 'clients_tenant_id_name_unique';
export const clientSlugTaken = 'clients_tenant_id_slug_unique';

/**
 * Stores a client. Fails with a violation of `clientNameTaken` or `clientSlugTaken` if another client of the tenant has its name
 * or slug.
 */
export async function insertClient(tx: Tx, client: Client): Promise<void> {
  await insertRecords(tx, clients, [client]);
}

/** Returns a client of the tenant, or `undefined` if it has no client with this id. */
export async function findClient(tx: Tx, tenantId: string, id: string): Promise<Client | undefined> {
  return findRecord(tx, clients, { tenantId, id });
}

/** Reads the tenant's clients with their counts in parts, oldest first. */
export async function* readClients(
  tx: Tx,
  tenantId: string,
): AsyncGenerator<CountedClient[], void, undefined> {
  const count = (table: string): ReturnType<Tx> =>
    tx(table)
      .count('*')
      .whereRaw(`${table}.tenant_id = clients.tenant_id and ${table}.client_id = clients.id`);
  const counted = () =>
    tx(clients.name)
      .select(columnNames(clients))
      .select({ member_count: count('client_members'), version_count: count('client_versions') })
      .where({ tenant_id: tenantId });
  for await (const rows of readParts(counted)) {
    yield rows.map((row) => ({
      ...fromRow(clients, row),
      memberCount: Number(row.member_count),
      versionCount: Number(row.version_count),
    }));
  }
}

/** Lists the names of the tenant's clients. */
export async function listClientNames(
  tx: Tx,
  tenantId: string,
): Promise<Pick<Client, 'id' | 'name' | 'slug'>[]> {
  return tx<Client>(clients.name)
    .select('id', 'name', 'slug')
    .where({ tenant_id: tenantId } as object);
}

/** Changes the given fields of a client. Returns false if there is no such client. */
export async function updateClient(
  tx: Tx,
  tenantId: string,
  id: string,
  changes: Partial<
    Pick<Client, 'name' | 'slug' | 'description' | 'defaultLanguage' | 'metadata' | 'updatedAt'>
  >,
): Promise<boolean> {
  return (await updateRecords(tx, clients, { tenantId, id }, changes)) > 0;
}

/** Deletes the client with its members, versions and builds. Returns false if there is no such client. */
export async function deleteClient(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  return (await deleteRecords(tx, clients, { tenantId, id })) > 0;
}

/**
 * Increments `latestVersion` and returns it, or `undefined` if the client is gone. Locks the client until the transaction ends,
 * so members read afterwards belong to this version.
 */
export async function raiseLatestVersion(
  tx: Tx,
  tenantId: string,
  id: string,
  updatedAt: number,
): Promise<number | undefined> {
  const [row]: { latest_version: number }[] = await tx(clients.name)
    .where({ tenant_id: tenantId, id })
    .increment('latest_version')
    .update({ updated_at: updatedAt })
    .returning('latest_version');
  return row?.latest_version;
}
