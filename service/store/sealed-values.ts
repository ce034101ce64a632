import type { Tx } from './database.ts';

/** An encrypted value and the columns that identify its row. */
interface SealedRow {
  tenantId: string;
  /** Name of the secret, or id of the package version. */
  key: string;
  sealed: Uint8Array;
}

const places = {
  secrets: { table: 'secrets', key: 'name', sealed: 'sealed' },
  tokens: { table: 'package_versions', key: 'id', sealed: 'sealed_token' },
} as const;

/** A place where encrypted values are stored. */
export type SealedPlace = keyof typeof places;

/** Returns the next values after `after` in the order of tenant and key, at most `limit`. */
export async function listSealed(
  tx: Tx,
  place: SealedPlace,
  { after, limit }: { after?: Pick<SealedRow, 'tenantId' | 'key'> | undefined; limit: number },
): Promise<SealedRow[]> {
  const { table, key, sealed } = places[place];
  const query = tx(table)
    .select('tenant_id', key, sealed)
    .whereNotNull(sealed)
    .orderBy(['tenant_id', key])
    .limit(limit);
  if (after) void query.whereRaw(`(tenant_id, ${key}) > (?, ?)`, [after.tenantId, after.key]);
  const rows = (await query) as Record<string, unknown>[];
  return rows.map((row) => ({
    tenantId: row.tenant_id as string,
    key: row[key] as string,
    sealed: row[sealed] as Uint8Array,
  }));
}

/** Replaces an encrypted value. */
export async function replaceSealed(
  tx: Tx,
  place: SealedPlace,
  { tenantId, key: value, sealed: bytes }: SealedRow,
): Promise<void> {
  const { table, key, sealed } = places[place];
  await tx(table)
    .where({ tenant_id: tenantId, [key]: value })
    .update({ [sealed]: bytes });
}
