import type { Tx } from '../store/database.ts';
import { listNodes, type Node } from '../store/nodes.ts';
import { listPackageVersions, listVersionsOf } from '../store/package-versions.ts';
import { findPackage, type Package, searchPublicPackages } from '../store/packages.ts';
import { loopTurns } from '../work/turn-budget.ts';
import { latestVersion, newestFirst } from './latest-version.ts';

/** A public package. */
interface PublicPackage {
  package: Package;
  /** Newest first. */
  versions: string[];
}

interface FoundPackages {
  found: PublicPackage[];
  /** Whether more than `limit` packages match. */
  isCut: boolean;
}

/** A version of a public package. */
interface PublicVersion {
  package: Package;
  version: string;
  /** In published order. */
  nodes: Node[];
}

/** Returns the public packages with `search` in their name or description, ordered by name. */
export async function findPublicPackages(tx: Tx, search: string, limit: number): Promise<FoundPackages> {
  const packages = await searchPublicPackages(tx, search, limit + 1);
  const shown = packages.slice(0, limit);
  const versions = Map.groupBy(await listVersionsOf(tx, shown), ({ packageId }) => packageId);
  const found: PublicPackage[] = [];
  for (const each of shown) {
    const names = (versions.get(each.id) ?? []).map(({ version }) => version);
    found.push({ package: each, versions: newestFirst(names) });
    await loopTurns.yieldIfSpent();
  }
  return { found, isCut: packages.length > limit };
}

/** Resolves a version (semver or `latest`) of a public package. Returns `undefined` for an unknown or private one. */
export async function findPublicVersion(
  tx: Tx,
  ref: { owner: string; package: string; version: string },
): Promise<PublicVersion | undefined> {
  const owner = await findPackage(tx, ref.owner, ref.package);
  if (owner?.visibility !== 'public') return undefined;
  const versions = await listPackageVersions(tx, owner.tenantId, owner.id);
  const wanted =
    ref.version === 'latest' ? latestVersion(versions.map(({ version }) => version)) : ref.version;
  const found = versions.find(({ version }) => version === wanted);
  if (found === undefined) return undefined;
  const nodes = await listNodes(tx, owner.tenantId, found.id);
  return { package: owner, version: found.version, nodes };
}
