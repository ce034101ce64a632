import type { Tx } from './database.ts';
import { deleteRecords, findRecord, insertRecords, updateRecords } from './records.ts';
import { columnNames, defineTable, fromRow, integer, text } from './table.ts';

/** A tenant's bundle of nodes and flows that SDKs are built from (SPEC.md, Client). */
export interface Client {
  tenantId: string;
  id: string;
  name: string;
  /** Derived from the name, unique for the tenant as the name is: packages and archives are called by it. */
  slug: string;
  description: string;
  defaultLanguage: string;
  /** 0 until the first build. */
  latestVersion: number;
  createdAt: number;
  updatedAt: number;
}

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
  latestVersion: integer(),
  createdAt: integer(),
  updatedAt: integer(),
});

/** Unique indexes that refuse a second client of the same name, or of a name that gives the same slug. */
export const clientNameTaken = 'clients_tenant_id_name_unique';
export const clientSlugTaken = 'clients_tenant_id_slug_unique';

export async function insertClient(tx: Tx, client: Client): Promise<void> {
  await insertRecords(tx, clients, [client]);
}

export async function findClient(tx: Tx, tenantId: string, id: string): Promise<Client | undefined> {
  return findRecord(tx, clients, { tenantId, id });
}

/** The tenant's clients with their counts, oldest first. */
export async function listClients(tx: Tx, tenantId: string): Promise<CountedClient[]> {
  const count = (table: string): ReturnType<Tx> =>
    tx(table)
      .count('*')
      .whereRaw(`${table}.tenant_id = clients.tenant_id and ${table}.client_id = clients.id`);
  const rows = (await tx(clients.name)
    .select(columnNames(clients))
    .select({ member_count: count('client_members'), version_count: count('client_versions') })
    .where({ tenant_id: tenantId })
    .orderBy(['created_at', 'id'])) as (Record<string, unknown> & {
    member_count: unknown;
    version_count: unknown;
  })[];
  return rows.map((row) => ({
    ...fromRow(clients, row),
    memberCount: Number(row.member_count),
    versionCount: Number(row.version_count),
  }));
}

/** Whether the client stands. */
export async function updateClient(
  tx: Tx,
  tenantId: string,
  id: string,
  changes: Partial<Pick<Client, 'name' | 'slug' | 'description' | 'defaultLanguage' | 'updatedAt'>>,
): Promise<boolean> {
  return (await updateRecords(tx, clients, { tenantId, id }, changes)) > 0;
}

/** Deletes the client with its members, versions and builds; whether there was one. */
export async function deleteClient(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  return (await deleteRecords(tx, clients, { tenantId, id })) > 0;
}

/**
 * Raises `latestVersion` by one and gives it; `undefined`: the client is gone. Until its transaction ends nobody else gets
 * the next one, so the members read after it are the ones of this version.
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
