import type { Clock } from '../clock.ts';
import { packageVersionNotFound, versionDeployed, versionInUse } from '../errors/package-errors.ts';
import type { Database } from '../store/database.ts';
import type { Tenant } from '../store/tenants.ts';
import { lockVersion, markDeleted } from '../store/version-deletion.ts';
import { listVersionUses, type VersionUses } from '../store/version-uses.ts';
import { readOwnPackage, readPackageVersion } from './read-package.ts';

/**
 * Deletes a version of the tenant's own that nothing refers to. Its number stays taken. What was recorded with its types stays readable.
 *
 * @throws ApiError 404 for an unknown version, 409 while the version is deployed or in use
 */
export async function deleteVersion(
  { db, clock }: { db: Database; clock: Clock },
  tenant: Tenant,
  place: { owner: string; name: string; version: string },
): Promise<void> {
  const name = `${place.owner}/${place.name}`;
  await db.transaction(async (tx) => {
    const owner = await readOwnPackage(tx, tenant, place.owner, place.name);
    const version = await readPackageVersion(tx, owner, place.version);
    const locked = await lockVersion(tx, version);
    if (!locked) throw packageVersionNotFound();
    if (locked.endpoint !== null) throw versionDeployed(name, version.version);
    const uses = await listVersionUses(tx, version);
    if (uses.length > 0) throw versionInUse(name, version.version, describe(uses));
    await markDeleted(tx, version, clock.now());
  });
}

/** What to do about the uses of each kind. Flows have no end, and their runs count on them. */
const advice: Record<VersionUses['kind'], string> = {
  flow: 'flows are kept, so the version stays',
  'client member': 'remove the members first',
  Instance: 'delete the versions of the Instances first',
  'unfinished run': 'wait for the runs, or cancel them',
};

function describe(uses: readonly VersionUses[]): string {
  return uses.map((each) => `${describeUses(each)} (${advice[each.kind]})`).join('; ');
}

/** For example `2 flows a, b and 1 flow of other tenants`. Names of other tenants are not shown. */
function describeUses({ kind, own, others, names }: VersionUses): string {
  const shown = own > names.length ? [...names, '...'] : names;
  return [
    ...(own > 0 ? [`${counted(own, kind)} ${shown.join(', ')}`] : []),
    ...(others > 0 ? [`${counted(others, kind)} of other tenants`] : []),
  ].join(' and ');
}

function counted(count: number, kind: string): string {
  return `${count} ${kind}${count === 1 ? '' : 's'}`;
}
