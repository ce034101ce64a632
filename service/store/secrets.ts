import type { Tx } from './database.ts';
import { deleteRecords, listRecords, updateRecords } from './records.ts';
import { bytes, columnNames, defineTable, fromRow, integer, nullable, text, toRow } from './table.ts';

/** A secret of a tenant; what its value is only the holder of the key can tell (service/access/secrets). */
export interface SecretRecord {
  tenantId: string;
  /** What nodes declare it as. */
  name: string;
  sealed: Uint8Array;
  createdAt: number;
  updatedAt: number;
  /** Until when development runs may use it, epoch milliseconds; `null`: they may not. */
  armedUntil: number | null;
}

const secrets = defineTable<SecretRecord>('secrets', {
  tenantId: text(),
  name: text(),
  sealed: bytes(),
  createdAt: integer(),
  updatedAt: integer(),
  armedUntil: nullable(integer()),
});

/** Creates the secret or replaces its value; when it was created and until when it is armed stays. */
export async function saveSecret(tx: Tx, record: SecretRecord): Promise<void> {
  await tx(secrets.name)
    .insert(toRow(secrets, record))
    .onConflict(['tenant_id', 'name'])
    .merge(['sealed', 'updated_at']);
}

/** By name. */
export async function listSecrets(tx: Tx, tenantId: string): Promise<SecretRecord[]> {
  const found = await listRecords(tx, secrets, { tenantId }, ['name']);
  // Sorted here, since the databases order text by different rules.
  return found.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Those of the names that the tenant has. */
export async function findSecrets(
  tx: Tx,
  tenantId: string,
  names: readonly string[],
): Promise<SecretRecord[]> {
  const rows = (await tx(secrets.name)
    .select(columnNames(secrets))
    .where({ tenant_id: tenantId })
    .whereIn('name', names)) as Record<string, unknown>[];
  return rows.map((row) => fromRow(secrets, row));
}

/** Arms a secret until a time, or no more. Whether there is such a secret. */
export async function armSecret(
  tx: Tx,
  tenantId: string,
  name: string,
  armedUntil: number | null,
): Promise<boolean> {
  return (await updateRecords(tx, secrets, { tenantId, name }, { armedUntil })) > 0;
}

/** Whether there was such a secret. */
export async function deleteSecret(tx: Tx, tenantId: string, name: string): Promise<boolean> {
  return (await deleteRecords(tx, secrets, { tenantId, name })) > 0;
}
