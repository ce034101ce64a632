import type { Json } from '../errors/api-error.ts';
import type { Tx } from './database.ts';
import { deleteRecords, findRecord, listRecords } from './records.ts';
import { defineTable, integer, json, text, toRow } from './table.ts';

/** A config profile of a tenant, for all of its flows. */
export interface Config {
  tenantId: string;
  /** Chosen by the tenant; `default` is what runs that name no profile get. */
  id: string;
  config: Record<string, Json | undefined>;
  createdAt: number;
  updatedAt: number;
}

const configs = defineTable<Config>('configs', {
  tenantId: text(),
  id: text(),
  config: json(),
  createdAt: integer(),
  updatedAt: integer(),
});

/** Creates the profile or replaces its content; `createdAt` stays that of the first. */
export async function saveConfig(tx: Tx, record: Config): Promise<void> {
  await tx(configs.name)
    .insert(toRow(configs, record))
    .onConflict(['tenant_id', 'id'])
    .merge(['config', 'updated_at']);
}

export async function findConfig(tx: Tx, tenantId: string, id: string): Promise<Config | undefined> {
  return findRecord(tx, configs, { tenantId, id });
}

/** In the order of their ids' code units, whatever collation the database has. */
export async function listConfigs(tx: Tx, tenantId: string): Promise<Config[]> {
  const found = await listRecords(tx, configs, { tenantId }, ['id']);
  return found.sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** Whether there was such a profile. */
export async function deleteConfig(tx: Tx, tenantId: string, id: string): Promise<boolean> {
  return (await deleteRecords(tx, configs, { tenantId, id })) > 0;
}
