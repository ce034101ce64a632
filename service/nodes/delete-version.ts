import type { Clock } from '../clock.ts';
import { packageVersionNotFound, versionDeployed, versionInUse } from '../errors/package-errors.ts';
import type { Database, Tx } from '../store/database.ts';
import type { Tenant } from '../store/tenants.ts';
import { lockVersion, markDeleted } from '../store/version-deletion.ts';
import { listRunUses, listStoredUses, type VersionUses } from '../store/version-uses.ts';
import { describeUses } from './describe-uses.ts';
import { readOwnPackage, readPackageVersion } from './read-package.ts';

/**
 * Deletes one of the tenant's own versions that nothing refers to. Its number stays reserved. Data recorded with its types stays
 * readable.
 *
 * @throws ApiError 404 for an unknown version, 409 while the version is deployed or in use
 */
export async function deleteVersion(
  { db, clock }: { db: Database; clock: Clock },
  tenant: Tenant,
  place: { owner: string; name: string; version: string },
): Promise<void> {
  const name = `${place.owner}/${place.name}`;
  const readPlace = async (tx: Tx): ReturnType<typeof readPackageVersion> => {
    const owner = await readOwnPackage(tx, tenant, place.owner, place.name);
    return readPackageVersion(tx, owner, place.version);
  };
  // Runs are not locked, so their journals are searched before the transaction begins.
  const runs = await listRunUses(db.knex, await readPlace(db.knex));
  await db.transaction(async (tx) => {
    const version = await readPlace(tx);
    const locked = await lockVersion(tx, version);
    if (!locked) throw packageVersionNotFound();
    const uses = [...(await listStoredUses(tx, version)), ...runs];
    if (locked.endpoint !== null) throw versionDeployed(name, version.version, advise(uses));
    if (uses.length > 0) throw versionInUse(name, version.version, advise(uses));
    await markDeleted(tx, version, clock.now());
  });
}

/** What to do about the uses of each kind. Flows never expire, and their runs depend on them. */
const advice: Record<VersionUses['kind'], string> = {
  flow: 'flows are kept, so the version stays',
  client_member: 'remove the members first',
  instance: 'delete the versions of the Instances first',
  unfinished_run: 'wait for the runs, or cancel them',
};

function advise(uses: readonly VersionUses[]): string {
  return uses.map((each) => `${describeUses(each)} (${advice[each.kind]})`).join('; ');
}
