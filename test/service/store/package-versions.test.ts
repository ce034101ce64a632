import assert from 'node:assert/strict';
import type { Database } from '../../../service/store/database.ts';
import { isUniqueViolation } from '../../../service/store/database-errors.ts';
import {
  findPackageVersion,
  findPackageVersionById,
  insertPackageVersion,
  listPackageVersions,
  setEndpoint,
} from '../../../service/store/package-versions.ts';
import { insertPackage, type Package } from '../../../service/store/packages.ts';
import { eachDatabase } from '../../support/databases.ts';
import { hostileText, samplePackage, sampleVersion, storedTenant } from '../../support/sample-records.ts';

describe('package versions', () => {
  eachDatabase((open) => {
    let db: Database;
    let owner: Package;
    before(async () => {
      db = await open();
    });
    beforeEach(async () => {
      owner = samplePackage((await storedTenant(db.knex)).id);
      await insertPackage(db.knex, owner);
    });

    it('round-trip through the database', async () => {
      const version = sampleVersion(owner, {
        protos: JSON.parse(
          JSON.stringify({ 'z.proto': hostileText, 'a.proto': '\0' }).replace('z.proto', '__proto__'),
        ) as Record<string, string>,
        descriptorSet: Uint8Array.from({ length: 256 }, (_, byte) => byte),
      });
      await insertPackageVersion(db.knex, version);
      const found = await findPackageVersion(db.knex, owner.tenantId, owner.id, '1.0.0');
      assert.deepEqual(found, { ...version, deletedAt: null });
      assert.deepEqual(Object.keys(found.protos), ['__proto__', 'a.proto']);
      assert.deepEqual(await findPackageVersionById(db.knex, owner.tenantId, version.id), {
        ...version,
        deletedAt: null,
      });
    });

    it('store only the bytes within a view', async () => {
      const version = sampleVersion(owner, { descriptorSet: Uint8Array.of(1, 2, 3, 4).subarray(1, 3) });
      await insertPackageVersion(db.knex, version);
      const found = await findPackageVersionById(db.knex, owner.tenantId, version.id);
      assert.deepEqual(found?.descriptorSet, Uint8Array.of(2, 3));
    });

    it('are unique within the package', async () => {
      await insertPackageVersion(db.knex, sampleVersion(owner));
      await assert.rejects(insertPackageVersion(db.knex, sampleVersion(owner)), (error) =>
        isUniqueViolation(error, 'package_versions_tenant_id_package_id_version_unique'),
      );
    });

    it('are listed in the order of publication, without their sources', async () => {
      const later = sampleVersion(owner, { version: '1.0.0', createdAt: 2 });
      const earlier = sampleVersion(owner, { version: '2.0.0', createdAt: 1 });
      await insertPackageVersion(db.knex, later);
      await insertPackageVersion(db.knex, earlier);
      const listed = await listPackageVersions(db.knex, owner.tenantId, owner.id);
      assert.deepEqual(
        listed.map((version) => version.version),
        ['2.0.0', '1.0.0'],
      );
      assert.ok(!('protos' in listed[0]!));
    });

    it('are deployed and undeployed only by their tenant', async () => {
      const version = sampleVersion(owner);
      await insertPackageVersion(db.knex, version);
      const endpoint = async (): Promise<string | null | undefined> =>
        (await findPackageVersionById(db.knex, owner.tenantId, version.id))?.endpoint;
      await setEndpoint(db.knex, 'another tenant', version.id, 'grpc://evil:1');
      assert.equal(await endpoint(), null);
      await setEndpoint(db.knex, owner.tenantId, version.id, 'grpc://localhost:9000');
      assert.equal(await endpoint(), 'grpc://localhost:9000');
      await setEndpoint(db.knex, owner.tenantId, version.id, null);
      assert.equal(await endpoint(), null);
    });

    it('require a package of their tenant', async () => {
      const orphan = { ...sampleVersion(owner), packageId: 'none' };
      await assert.rejects(insertPackageVersion(db.knex, orphan), /foreign key/i);
    });
  });
});
