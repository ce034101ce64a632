import assert from 'node:assert/strict';
import type { Database } from '../../../../service/store/database.ts';
import { findDeployment } from '../../../../service/store/prepared/find-deployment.ts';
import { setEndpoint } from '../../../../service/store/package-versions.ts';
import { findPackageById, updatePackage } from '../../../../service/store/packages.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { storedTenant, storedVersion } from '../../../support/sample-records.ts';

describe('the deployment of a package version', () => {
  eachDatabase((open) => {
    let db: Database;
    before(async () => {
      db = await open();
    });

    it('reflects each change immediately, and only for its tenant', async () => {
      const { id: tenantId } = await storedTenant(db.knex);
      const { id, packageId, version } = await storedVersion(db.knex, tenantId);
      const { handle, name } = (await findPackageById(db.knex, tenantId, packageId))!;
      const reference = { name: `${handle}/${name}`, version, tenantId, versionId: id };
      const deployed = { package: reference, visibility: 'private', endpoint: null, sealedToken: null };
      assert.deepEqual(await findDeployment(db, tenantId, id), deployed);
      const sealedToken = Uint8Array.of(1, 2);
      await setEndpoint(db.knex, tenantId, id, 'grpc://localhost:1', { sealedToken });
      await updatePackage(db.knex, tenantId, packageId, { visibility: 'public' });
      const expected = { package: reference, visibility: 'public', endpoint: 'grpc://localhost:1' };
      const found = await findDeployment(db, tenantId, id);
      assert.deepEqual(
        { ...found, sealedToken: [...found!.sealedToken!] },
        { ...expected, sealedToken: [1, 2] },
      );
      await setEndpoint(db.knex, tenantId, id, 'grpc://localhost:1');
      assert.deepEqual(await findDeployment(db, tenantId, id), { ...expected, sealedToken: null });
      assert.equal(await findDeployment(db, 'another tenant', id), undefined);
    });
  });
});
