import assert from 'node:assert/strict';
import { saveConfig } from '../../../../service/store/configs.ts';
import { findConfigProfile } from '../../../../service/store/prepared/find-config-profile.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { hostileText, someTime, storedTenant } from '../../../support/sample-records.ts';

describe('the config profile of a run', () => {
  eachDatabase((open) => {
    it('is the current profile with the given id of the tenant', async () => {
      const db = await open();
      const { id: tenantId } = await storedTenant(db.knex);
      const record = {
        tenantId,
        id: 'prod',
        config: { a: hostileText },
        createdAt: someTime,
        updatedAt: someTime,
      };
      await saveConfig(db.knex, record);
      assert.deepEqual(await findConfigProfile(db, tenantId, 'prod'), { a: hostileText });
      await saveConfig(db.knex, { ...record, config: {} });
      assert.deepEqual(await findConfigProfile(db, tenantId, 'prod'), {});
      assert.equal(await findConfigProfile(db, tenantId, 'other'), undefined);
      assert.equal(await findConfigProfile(db, 'another tenant', 'prod'), undefined);
    });
  });
});
