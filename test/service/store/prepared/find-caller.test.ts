import assert from 'node:assert/strict';
import { insertApiKey } from '../../../../service/store/api-keys.ts';
import type { Database } from '../../../../service/store/database.ts';
import { findCaller } from '../../../../service/store/prepared/find-caller.ts';
import { updateTenantStatus } from '../../../../service/store/tenants.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { hostileText, sampleKey, storedTenant } from '../../../support/sample-records.ts';

describe('the caller of a request', () => {
  eachDatabase((open) => {
    let db: Database;
    before(async () => {
      db = await open();
    });

    it('is the key and its tenant', async () => {
      const tenant = await storedTenant(db.knex, { limits: { rps: 1.5 } });
      const key = sampleKey(tenant.id, { name: hostileText, graphIds: ['g'], rateRps: 0.5, expiresAt: 5 });
      await insertApiKey(db.knex, key);
      assert.deepEqual(await findCaller(db, key.keyHash), { key, tenant });
      assert.equal(await findCaller(db, 'no such hash'), undefined);
    });

    it('is read on each call', async () => {
      const tenant = await storedTenant(db.knex);
      const key = sampleKey(tenant.id);
      await insertApiKey(db.knex, key);
      assert.equal((await findCaller(db, key.keyHash))?.tenant?.status, 'active');
      await updateTenantStatus(db.knex, tenant.id, 'suspended');
      assert.equal((await findCaller(db, key.keyHash))?.tenant?.status, 'suspended');
    });

    it('is found for concurrent calls', async () => {
      const tenant = await storedTenant(db.knex);
      const keys = Array.from({ length: 60 }, () => sampleKey(tenant.id));
      for (const key of keys) await insertApiKey(db.knex, key);
      const found = await Promise.all(keys.map((key) => findCaller(db, key.keyHash)));
      assert.deepEqual(
        found.map((caller) => caller?.key),
        keys,
      );
    });

    it('has no tenant if the tenant does not exist', async () => {
      const key = sampleKey('gone');
      await insertApiKey(db.knex, key);
      assert.deepEqual(await findCaller(db, key.keyHash), { key, tenant: undefined });
    });
  });
});
