import assert from 'node:assert/strict';
import {
  findApiKeyById,
  insertApiKey,
  readApiKeys,
  revokeApiKey,
  touchApiKeys,
} from '../../../service/store/api-keys.ts';
import type { Database } from '../../../service/store/database.ts';
import { wholeList } from '../../../service/store/records.ts';
import { isUniqueViolation } from '../../../service/store/database-errors.ts';
import { eachDatabase, openAgain } from '../../support/databases.ts';
import { hostileText, sampleKey, storedTenant } from '../../support/sample-records.ts';

describe('API keys', () => {
  eachDatabase((open) => {
    let db: Database;
    let tenantId: string;
    before(async () => {
      db = await open();
      tenantId = (await storedTenant(db.knex)).id;
    });

    it('round-trip through the database', async () => {
      const key = sampleKey(tenantId, {
        name: hostileText,
        kind: 'app',
        scopes: ['invoke'],
        graphIds: ['g1', 'g2'],
        allowedOrigins: ['https://example.com'],
        rateRps: 0.1,
        expiresAt: 1_900_000_000_000,
      });
      await insertApiKey(db.knex, key);
      assert.deepEqual(await findApiKeyById(db.knex, key.id), key);
    });

    it('have unique hashes across tenants', async () => {
      const key = sampleKey(tenantId);
      await insertApiKey(db.knex, key);
      const other = await storedTenant(db.knex);
      await assert.rejects(insertApiKey(db.knex, sampleKey(other.id, { keyHash: key.keyHash })), (error) =>
        isUniqueViolation(error, 'api_keys_key_hash_unique'),
      );
    });

    it('are listed only for their tenant, oldest first', async () => {
      const tenant = await storedTenant(db.knex);
      const younger = sampleKey(tenant.id, { createdAt: 2 });
      const older = sampleKey(tenant.id, { createdAt: 1 });
      await insertApiKey(db.knex, younger);
      await insertApiKey(db.knex, older);
      assert.deepEqual(await wholeList(readApiKeys(db.knex, tenant.id)), [older, younger]);
    });

    it('are revoked once, only by their tenant', async () => {
      const key = sampleKey(tenantId);
      await insertApiKey(db.knex, key);
      assert.equal(await revokeApiKey(db.knex, 'another tenant', key.id, 5), false);
      assert.equal(await revokeApiKey(db.knex, tenantId, key.id, 6), true);
      assert.equal(await revokeApiKey(db.knex, tenantId, key.id, 7), false);
      assert.equal((await findApiKeyById(db.knex, key.id))?.revokedAt, 6);
    });

    it('keep their latest use regardless of the order of writes', async () => {
      const key = sampleKey(tenantId);
      await insertApiKey(db.knex, key);
      for (const at of [20, 10, 30, 25]) await touchApiKeys(db.knex, [{ tenantId, id: key.id, at }]);
      assert.equal((await findApiKeyById(db.knex, key.id))?.lastUsedAt, 30);
    });

    it('record uses from two replicas concurrently and in any order', async () => {
      const twin = await openAgain(db);
      const keys = Array.from({ length: 200 }, (_, n) => sampleKey(tenantId, { keyHash: `used${n}` }));
      for (const key of keys) await insertApiKey(db.knex, key);
      for (let at = 1; at <= 20; at += 1) {
        const uses = keys.map(({ id }) => ({ tenantId, id, at }));
        await Promise.all([touchApiKeys(db.knex, uses), touchApiKeys(twin.knex, uses.toReversed())]);
      }
      assert.equal((await findApiKeyById(db.knex, keys[7]?.id ?? ''))?.lastUsedAt, 20);
    });
  });
});
