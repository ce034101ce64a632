import type { Tx } from './database.ts';
import { deleteRecords, listRecords, updateRecords } from './records.ts';
import { bigInteger, bytes, columnNames, defineTable, fromRow, nullable, text, toRow } from './table.ts';

/** A secret of a tenant. Its value is encrypted; see service/access/secrets. */
export interface SecretRecord {
  tenantId: string;
  /** Name by which nodes declare the secret. */
  name: string;
  sealed: Uint8Array;
  createdAt: number;
  updatedAt: number;
  /** Time until which development runs may use the secret, in epoch milliseconds. `null` if it is not armed. */
  armedUntil: number | null;
}

const secrets = defineTable<SecretRecord>('secrets', {
  tenantId: text(),
  name: text(),
  sealed: bytes(),
  createdAt: bigInteger(),
  updatedAt: bigInteger(),
  armedUntil: nullable(bigInteger()),
});

/** Creates the secret or replaces its value. `createdAt` and `armedUntil` do not change. */
export async function saveSecret(tx: Tx, record: SecretRecord): Promise<void> {
  await tx(secrets.name)
    .insert(toRow(secrets, record))
    .onConflict(['tenant_id', 'name'])
    .merge(['sealed', 'updated_at']);
}

/** Lists secrets by name. */
export async function listSecrets(tx: Tx, tenantId: string): Promise<SecretRecord[]> {
  const found = await listRecords(tx, secrets, { tenantId }, ['name']);
  // Sorted in memory, because the databases use different collations.
  return found.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns the tenant's secrets among the names. */
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

/** Arms a secret until a time, or disarms it with `null`. Returns false if there is no such secret. */
export async function armSecret(
  tx: Tx,
  tenantId: string,
  name: string,
  armedUntil: number | null,
): Promise<boolean> {
  return (await updateRecords(tx, secrets, { tenantId, name }, { armedUntil })) > 0;
}

/** Deletes a secret. Returns false if there is no such secret. */
export async function deleteSecret(tx: Tx, tenantId: string, name: string): Promise<boolean> {
  return (await deleteRecords(tx, secrets, { tenantId, name })) > 0;
}
