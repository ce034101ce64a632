import type { Tx } from '../store/database.ts';
import { listPackageVersions, listVersionsOf } from '../store/package-versions.ts';
import { findPackage, type Package, searchPublicPackages } from '../store/packages.ts';
import { latestVersion, newestFirst } from './latest-version.ts';

/** A package that everybody may see. */
export interface PublicPackage {
  package: Package;
  /** Newest first. */
  versions: string[];
}

export interface FoundPackages {
  found: PublicPackage[];
  /** Whether there are more than `limit`. */
  isCut: boolean;
}

/** Public packages with `search` in their name or description, by name. */
export async function findPublicPackages(tx: Tx, search: string, limit: number): Promise<FoundPackages> {
  const packages = await searchPublicPackages(tx, search, limit + 1);
  const shown = packages.slice(0, limit);
  const versions = Map.groupBy(await listVersionsOf(tx, shown), ({ packageId }) => packageId);
  return {
    found: shown.map((each) => ({
      package: each,
      versions: newestFirst((versions.get(each.id) ?? []).map(({ version }) => version)),
    })),
    isCut: packages.length > limit,
  };
}

/** The version that `version` (semver or `latest`) names in a public package; undefined for unknown and private ones alike. */
export async function findPublicVersion(
  tx: Tx,
  ref: { owner: string; package: string; version: string },
): Promise<{ package: Package; version: string } | undefined> {
  const owner = await findPackage(tx, ref.owner, ref.package);
  if (owner?.visibility !== 'public') return undefined;
  const versions = (await listPackageVersions(tx, owner.tenantId, owner.id)).map(({ version }) => version);
  const wanted = ref.version === 'latest' ? latestVersion(versions) : ref.version;
  return wanted !== undefined && versions.includes(wanted) ? { package: owner, version: wanted } : undefined;
}
