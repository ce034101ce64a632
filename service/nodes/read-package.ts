import { foreignHandle, packageNotFound, packageVersionNotFound } from '../errors/package-errors.ts';
import type { Tx } from '../store/database.ts';
import { findPackageVersion, type PackageVersion } from '../store/package-versions.ts';
import { findPackage, type Package } from '../store/packages.ts';
import type { Tenant } from '../store/tenants.ts';

/**
 * Returns a package that the tenant may see: its own, or a public one. Any other package counts as unknown.
 */
export async function readPackage(tx: Tx, tenant: Tenant, handle: string, name: string): Promise<Package> {
  const found = await findPackage(tx, handle, name);
  if (!found || (found.visibility === 'private' && found.tenantId !== tenant.id)) throw packageNotFound();
  return found;
}

/** @throws ApiError 404 `package version not found` */
export async function readPackageVersion(tx: Tx, owner: Package, version: string): Promise<PackageVersion> {
  const found = await findPackageVersion(tx, owner.tenantId, owner.id, version);
  if (!found) throw packageVersionNotFound();
  return found;
}

/** Returns a package that the tenant may change. Refuses a public package of another tenant. */
export async function readOwnPackage(tx: Tx, tenant: Tenant, handle: string, name: string): Promise<Package> {
  const found = await readPackage(tx, tenant, handle, name);
  if (found.tenantId !== tenant.id) throw foreignHandle(`${handle}/${name}`, tenant.handle);
  return found;
}
