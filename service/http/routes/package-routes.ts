import {
  deletePackageVersion,
  deployPackage as deployOperation,
  getPackage,
  getPackageVersion,
  listPackages,
  publishPackage as publishOperation,
  undeployPackage,
} from '../../../specs/operations/packages.ts';
import { latestVersion, newestFirst } from '../../nodes/latest-version.ts';
import type { NodeTargets } from '../../nodes/call/target.ts';
import { deleteVersion } from '../../nodes/delete-version.ts';
import { deployPackage } from '../../nodes/deploy-package.ts';
import { areInstancesDeployed } from '../../nodes/instance-target.ts';
import { publishPackage, type PublishOptions } from '../../nodes/publish-package.ts';
import { readOwnPackage, readPackage, readPackageVersion } from '../../nodes/read-package.ts';
import type { Tx } from '../../store/database.ts';
import { listNodes } from '../../store/nodes.ts';
import {
  listPackageVersions,
  listVersionsOf,
  type PackageVersionSummary,
  setEndpoint,
} from '../../store/package-versions.ts';
import { type Package, readVisiblePackages } from '../../store/packages.ts';
import { listRunUses, listStoredUses } from '../../store/version-uses.ts';
import { loopTurns } from '../../work/turn-budget.ts';
import type { AnswerBody } from '../answer/answer.ts';
import { LongObject } from '../answer/long-object.ts';
import { bind, type Route } from '../bind.ts';
import {
  presentListedVersion,
  presentPackage,
  presentPackageVersion,
  presentPublication,
} from '../present/package.ts';

interface PackageRouteOptions extends PublishOptions {
  targets: Pick<NodeTargets, 'forget'>;
}

/** Publication, deployment and deletion of package versions, and the packages that the caller may see. */
export function packageRoutes(options: PackageRouteOptions): Route[] {
  const { targets } = options;
  const { knex } = options.db;
  return [
    bind(publishOperation).to(async ({ principal, body, signal }) => {
      const publication = await publishPackage(options, principal.tenant, body, signal);
      targets.forget();
      return { status: publication.created ? 201 : 200, body: presentPublication(publication) };
    }),
    bind(listPackages).to(({ principal }) => {
      const packages = readVisiblePackages(knex, principal.tenant.id);
      return { status: 200, kind: 'list', body: listedPackages(knex, packages) };
    }),
    bind(getPackage).to(async ({ principal, params }) => {
      const owner = await readPackage(knex, principal.tenant, params.owner, params.name);
      const versions = await listPackageVersions(knex, owner.tenantId, owner.id);
      const deployed = await areInstancesDeployed(options.db, owner);
      const isOwner = owner.tenantId === principal.tenant.id;
      const latest = latestVersion(versions.map(({ version }) => version));
      const fields: AnswerBody<typeof getPackage, 200> = { ...presentPackage(owner, latest), versions: [] };
      const parts = listedVersions(versions, { isOwner, deployed });
      return { status: 200, body: new LongObject(fields, 'versions', parts) };
    }),
    bind(getPackageVersion).to(async ({ principal, params, query }) => {
      const owner = await readPackage(knex, principal.tenant, params.owner, params.name);
      const version = await readPackageVersion(knex, owner, params.version);
      const nodes = await listNodes(knex, version.tenantId, version.id);
      const deployed = await areInstancesDeployed(options.db, owner);
      const isOwner = owner.tenantId === principal.tenant.id;
      const body = presentPackageVersion(owner, version, nodes, { isOwner, deployed });
      if (!query.uses || !isOwner) return { status: 200, body };
      const uses = [...(await listStoredUses(knex, version)), ...(await listRunUses(knex, version))];
      return { status: 200, body: { ...body, uses } };
    }),
    bind(deployOperation).to(async ({ principal, params, body }) => {
      const deployed = await deployPackage(options, principal.tenant, params, body);
      targets.forget();
      return { status: 200, body: deployed };
    }),
    bind(undeployPackage).to(async ({ principal, params }) => {
      const owner = await readOwnPackage(knex, principal.tenant, params.owner, params.name);
      const version = await readPackageVersion(knex, owner, params.version);
      await setEndpoint(knex, version.tenantId, version.id, null);
      targets.forget();
      return { status: 204 };
    }),
    bind(deletePackageVersion).to(async ({ principal, params }) => {
      await deleteVersion(options, principal.tenant, params);
      return { status: 204 };
    }),
  ];
}

/** Presents packages with the latest of their versions. */
async function* listedPackages(
  tx: Tx,
  parts: AsyncIterable<readonly Package[]>,
): AsyncGenerator<ReturnType<typeof presentPackage>[], void, undefined> {
  for await (const owners of parts) {
    const versions = Map.groupBy(await listVersionsOf(tx, owners), ({ packageId }) => packageId);
    const listed: ReturnType<typeof presentPackage>[] = [];
    for (const owner of owners) {
      const names = (versions.get(owner.id) ?? []).map(({ version }) => version);
      listed.push(presentPackage(owner, latestVersion(names)));
      await loopTurns.yieldIfSpent();
    }
    yield listed;
  }
}

/** Versions of one part of a list. */
const partVersions = 500;

/** Presents the versions of a package in parts, newest first. */
async function* listedVersions(
  versions: readonly PackageVersionSummary[],
  viewing: Parameters<typeof presentListedVersion>[1],
): AsyncGenerator<ReturnType<typeof presentListedVersion>[], void, undefined> {
  await loopTurns.yieldIfSpent();
  const byName = new Map(versions.map((one) => [one.version, one]));
  const sorted = newestFirst([...byName.keys()]).flatMap((name) => byName.get(name) ?? []);
  for (let start = 0; start < sorted.length; start += partVersions) {
    await loopTurns.yieldIfSpent();
    yield sorted.slice(start, start + partVersions).map((one) => presentListedVersion(one, viewing));
  }
}
