import type { Tx } from './database.ts';
import { findRecord, insertRecords, updateRecords } from './records.ts';
import { columnNames, defineTable, fromRow, integer, text } from './table.ts';

/** A named package of a tenant; what it contains is in its versions. */
export interface Package {
  tenantId: string;
  id: string;
  /** The owner's handle: the full name is `<handle>/<name>`. */
  handle: string;
  name: string;
  /** `public`: any tenant may read and call it. */
  visibility: 'public' | 'private';
  description: string;
  createdAt: number;
}

export const packages = defineTable<Package>('packages', {
  tenantId: text(),
  id: text(),
  handle: text(),
  name: text(),
  visibility: text(),
  description: text(),
  createdAt: integer(),
});

/** Unique index that refuses a second package of the same name. */
export const packageNameTaken = 'packages_tenant_id_name_unique';

export async function insertPackage(tx: Tx, record: Package): Promise<void> {
  await insertRecords(tx, packages, [record]);
}

/** By full name, of whichever tenant: whether the caller may see it is the caller's to check. */
export async function findPackage(tx: Tx, handle: string, name: string): Promise<Package | undefined> {
  return findRecord(tx, packages, { handle, name });
}

export async function findPackageById(tx: Tx, tenantId: string, id: string): Promise<Package | undefined> {
  return findRecord(tx, packages, { tenantId, id });
}

export async function updatePackage(
  tx: Tx,
  tenantId: string,
  id: string,
  changes: Partial<Pick<Package, 'description' | 'visibility'>>,
): Promise<void> {
  await updateRecords(tx, packages, { tenantId, id }, changes);
}

/** The tenant's own packages and everybody's public ones, by full name. */
export async function listVisiblePackages(tx: Tx, tenantId: string): Promise<Package[]> {
  const rows = (await tx(packages.name)
    .select(columnNames(packages))
    .where({ tenant_id: tenantId })
    .orWhere({ visibility: 'public' })) as Record<string, unknown>[];
  // Sorted here, since the databases order text by different rules.
  return rows.map((row) => fromRow(packages, row)).sort(byFullName);
}

/**
 * Everybody's packages by full name, at most `limit`: those with `search` in their full name or description, in any case of ASCII
 * letters; an empty one finds all.
 */
export async function searchPublicPackages(tx: Tx, search: string, limit: number): Promise<Package[]> {
  const pattern = `%${search.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const rows = (await tx(packages.name)
    .select(columnNames(packages))
    .where({ visibility: 'public' })
    .andWhereRaw(
      String.raw`(lower(handle || '/' || name) like ? escape '\' or lower(description) like ? escape '\')`,
      [pattern, pattern],
    )
    .orderBy(['handle', 'name'])
    .limit(limit)) as Record<string, unknown>[];
  return rows.map((row) => fromRow(packages, row));
}

function byFullName(a: Package, b: Package): number {
  const [left, right] = [`${a.handle}/${a.name}`, `${b.handle}/${b.name}`];
  return left < right ? -1 : left > right ? 1 : 0;
}
