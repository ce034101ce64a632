import assert from 'node:assert/strict';
import type { Database } from '../../../../service/store/database.ts';
import { findDeployment } from '../../../../service/store/prepared/find-deployment.ts';
import { setEndpoint } from '../../../../service/store/package-versions.ts';
import { updatePackage } from '../../../../service/store/packages.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { storedTenant, storedVersion } from '../../../support/sample-records.ts';

describe('the deployment of a package version', () => {
  eachDatabase((open) => {
    let db: Database;
    before(async () => {
      db = await open();
    });

    it('shows each change immediately, and only to its tenant', async () => {
      const { id: tenantId } = await storedTenant(db.knex);
      const { id, packageId } = await storedVersion(db.knex, tenantId);
      const handle = 'acme';
      assert.deepEqual(await findDeployment(db, tenantId, id), {
        visibility: 'private',
        endpoint: null,
        sealedToken: null,
        handle,
      });
      await setEndpoint(db.knex, tenantId, id, 'grpc://localhost:1', Uint8Array.of(1, 2));
      await updatePackage(db.knex, tenantId, packageId, { visibility: 'public' });
      const expected = { visibility: 'public', endpoint: 'grpc://localhost:1', handle };
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
