import assert from 'node:assert/strict';
import type { Database } from '../../../service/store/database.ts';
import {
  findPackageVersion,
  findPackageVersionById,
  insertPackageVersion,
  isVersionDeleted,
  listPackageVersions,
  type PackageVersion,
  setEndpoint,
  growPackageVersion,
} from '../../../service/store/package-versions.ts';
import { insertMessageTypes, findMessage } from '../../../service/store/message-types.ts';
import { insertPackage, type Package } from '../../../service/store/packages.ts';
import { findDeployment } from '../../../service/store/prepared/find-deployment.ts';
import { holdVersion, lockVersion, markDeleted } from '../../../service/store/version-deletion.ts';
import { eachDatabase } from '../../support/databases.ts';
import { samplePackage, sampleVersion, someTime, storedTenant } from '../../support/sample-records.ts';

describe('the deletion of a package version', () => {
  eachDatabase((open) => {
    let db: Database;
    let owner: Package;
    let version: PackageVersion;
    before(async () => {
      db = await open();
    });
    beforeEach(async () => {
      owner = samplePackage((await storedTenant(db.knex)).id);
      await insertPackage(db.knex, owner);
      version = sampleVersion(owner);
      await insertPackageVersion(db.knex, version);
    });

    const remove = (): Promise<boolean> =>
      db.transaction(async (tx) => {
        if (!(await lockVersion(tx, version))) return false;
        await markDeleted(tx, version, someTime);
        return true;
      });

    it('hides the version, and keeps its number and types, but not its sources', async () => {
      const { tenantId, id } = version;
      await insertMessageTypes(db.knex, { tenantId, versionId: id }, ['acme.Gone']);
      assert.equal(await isVersionDeleted(db.knex, tenantId, owner.id, version.version), false);
      assert.equal(await remove(), true);
      assert.equal(await findPackageVersion(db.knex, tenantId, owner.id, version.version), undefined);
      assert.deepEqual(await listPackageVersions(db.knex, tenantId, owner.id), []);
      assert.equal(await findDeployment(db, tenantId, id), undefined);
      assert.equal(await findMessage(db.knex, tenantId, 'acme.Gone'), undefined);
      assert.equal(await isVersionDeleted(db.knex, tenantId, owner.id, version.version), true);
      assert.deepEqual(await findPackageVersionById(db.knex, tenantId, id), {
        ...version,
        endpoint: null,
        protos: {},
        deletedAt: someTime,
      });
    });

    it('prevents the version from being held, deployed, changed or deleted again', async () => {
      await remove();
      assert.equal(await db.transaction((tx) => holdVersion(tx, version)), false);
      assert.equal(await setEndpoint(db.knex, version.tenantId, version.id, 'grpc://a:1'), false);
      assert.equal(await growPackageVersion(db.knex, version, version), false);
      assert.equal(await remove(), false);
    });

    it('waits for a transaction that holds the version', async () => {
      const order: string[] = [];
      let deletion: Promise<void> | undefined;
      await db.transaction(async (tx) => {
        assert.equal(await holdVersion(tx, version), true);
        deletion = db.transaction(async (other) => {
          await lockVersion(other, version);
          order.push('locked');
        });
        for (let reads = 0; reads < 20; reads += 1) await tx.raw('select 1');
        order.push('stored');
      });
      await deletion;
      assert.deepEqual(order, ['stored', 'locked']);
    });

    it('blocks other transactions, which then find the version deleted', async () => {
      const order: string[] = [];
      let holding: Promise<boolean> | undefined;
      let deploying: Promise<boolean> | undefined;
      await db.transaction(async (tx) => {
        await lockVersion(tx, version);
        holding = db.transaction(async (other) => {
          const held = await holdVersion(other, version);
          order.push('held');
          return held;
        });
        deploying = setEndpoint(db.knex, version.tenantId, version.id, 'grpc://a:1');
        for (let reads = 0; reads < 20; reads += 1) await tx.raw('select 1');
        await markDeleted(tx, version, someTime);
        order.push('deleted');
      });
      assert.deepEqual([await holding, await deploying, order], [false, false, ['deleted', 'held']]);
    });
  });
});
