import type { Json } from '../errors/api-error.ts';
import type { Tx } from './database.ts';
import { deleteRecords, findRecord, listRecords } from './records.ts';
import { bigInteger, defineTable, exactJson, text, toRow } from './table.ts';

/** A config profile of a tenant, shared by its flows. */
export interface Config {
  tenantId: string;
  /** Chosen by the tenant. Runs without a profile use `default`. */
  id: string;
  config: Record<string, Json | undefined>;
  createdAt: number;
  updatedAt: number;
}

const configs = defineTable<Config>('configs', {
  tenantId: text(),
  id: text(),
  config: exactJson(),
  createdAt: bigInteger(),
  updatedAt: bigInteger(),
});

/** Creates the profile or replaces its content. Returns `createdAt`, which a replacement does not change. */
export async function saveConfig(tx: Tx, record: Config): Promise<number> {
  const [row]: { created_at: number | string }[] = await tx(configs.name)
    .insert(toRow(configs, record))
    .onConflict(['tenant_id', 'id'])
    .merge(['config', 'updated_at'])
    .returning('created_at');
  return Number(row?.created_at);
}

/** Returns a profile, or `undefined` if the tenant has not stored it. This also applies to `default`. */
export async function findConfig(tx: Tx, tenantId: string, id: string): Promise<Config | undefined> {
  return findRecord(tx, configs, { tenantId, id });
}

/** Returns the number of the tenant's other profiles, and the bytes of their JSON. */
export async function otherConfigs(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<{ count: number; bytes: number }> {
  const row = await tx(configs.name)
    .where({ tenant_id: tenantId })
    .whereNot({ id })
    .first<Record<string, unknown>>(tx.raw('count(*) as count, sum(octet_length(config)) as bytes'));
  return { count: Number(row.count), bytes: Number(row.bytes) };
}

/** Lists profiles by the code units of their ids, independent of the database's collation. */
export async function listConfigs(tx: Tx, tenantId: string): Promise<Config[]> {
  const found = await listRecords(tx, configs, { tenantId }, ['id']);
  return found.sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** Deletes a profile. Returns false if there is no such profile. */
export async function deleteConfig(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  return (await deleteRecords(tx, configs, { tenantId, id })) > 0;
}
