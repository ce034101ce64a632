import type { Tx } from './database.ts';
import { findRecord, insertRecords, updateRecords } from './records.ts';
import { bigInteger, columnNames, defineTable, fromRow, text } from './table.ts';

/** A package of a tenant. Its content is in its versions. */
export interface Package {
  tenantId: string;
  id: string;
  /** The owner's handle. The full name of the package is `<handle>/<name>`. */
  handle: string;
  name: string;
  /** Any tenant may read and call a public package. */
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
  createdAt: bigInteger(),
});

/** Stores a package. Fails with a unique violation if the tenant has a package with this name. */
export async function insertPackage(tx: Tx, record: Package): Promise<void> {
  await insertRecords(tx, packages, [record]);
}

/** Finds a package of any tenant by its full name. Callers must check its visibility. */
export async function findPackage(tx: Tx, handle: string, name: string): Promise<Package | undefined> {
  return findRecord(tx, packages, { handle, name });
}

/** Finds a package of the tenant, public or private. */
export async function findPackageById(tx: Tx, tenantId: string, id: string): Promise<Package | undefined> {
  return findRecord(tx, packages, { tenantId, id });
}

/** Changes the given fields. Does nothing if the package does not exist. */
export async function updatePackage(
  tx: Tx,
  tenantId: string,
  id: string,
  changes: Partial<Pick<Package, 'description' | 'visibility'>>,
): Promise<void> {
  await updateRecords(tx, packages, { tenantId, id }, changes);
}

/** Reads the tenant's packages and all public packages in parts, by full name. */
export async function* readVisiblePackages(
  tx: Tx,
  tenantId: string,
): AsyncGenerator<Package[], void, undefined> {
  const names: ({ tenant_id: string; id: string } & FullName)[] = await tx(packages.name)
    .select('tenant_id', 'id', 'handle', 'name')
    .where({ tenant_id: tenantId })
    .orWhere({ visibility: 'public' });
  // Sorted in memory, because the databases use different collations.
  names.sort(byFullName);
  for (let start = 0; start < names.length; start += partPackages) {
    const keys = names.slice(start, start + partPackages).map((one) => [one.tenant_id, one.id]);
    const rows = (await tx(packages.name)
      .select(columnNames(packages))
      .whereIn(['tenant_id', 'id'], keys)) as Record<string, unknown>[];
    yield rows.map((row) => fromRow(packages, row)).sort(byFullName);
  }
}

/** Packages per part of a list. */
const partPackages = 100;

type FullName = Pick<Package, 'handle' | 'name'>;

/**
 * Lists packages that a tenant may have meant by an unknown name: its own packages, and public ones with the same handle or name.
 * At most 500.
 */
export async function listMeantPackages(
  tx: Tx,
  tenantId: string,
  { handle, name }: Pick<Package, 'handle' | 'name'>,
): Promise<string[]> {
  const rows = (await tx(packages.name)
    .select('handle', 'name')
    .where({ tenant_id: tenantId })
    .orWhere({ visibility: 'public', handle })
    .orWhere({ visibility: 'public', name })
    .orderBy(['handle', 'name'])
    .limit(500)) as { handle: string; name: string }[];
  return rows.map((row) => `${row.handle}/${row.name}`);
}

/**
 * Lists at most `limit` public packages that have a version and whose full name or description contains `search`, by full name.
 * Ignores the case of ASCII letters. An empty search matches every package.
 */
export async function searchPublicPackages(tx: Tx, search: string, limit: number): Promise<Package[]> {
  const pattern = `%${search.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const rows = (await tx(packages.name)
    .select(columnNames(packages))
    .where({ visibility: 'public' })
    .whereExists(
      tx('package_versions')
        .whereRaw('package_versions.tenant_id = packages.tenant_id and package_id = packages.id')
        .whereNull('deleted_at')
        .select(tx.raw('1')),
    )
    .andWhereRaw(
      String.raw`(lower(handle || '/' || name) like ? escape '\' or lower(description) like ? escape '\')`,
      [pattern, pattern],
    )
    .orderBy(['handle', 'name'])
    .limit(limit)) as Record<string, unknown>[];
  return rows.map((row) => fromRow(packages, row));
}

function byFullName(a: FullName, b: FullName): number {
  const [left, right] = [`${a.handle}/${a.name}`, `${b.handle}/${b.name}`];
  return left < right ? -1 : left > right ? 1 : 0;
}
