import assert from 'node:assert/strict';
import {
  type Config,
  deleteConfig,
  findConfig,
  otherConfigs,
  saveConfig,
} from '../../../service/store/configs.ts';
import type { Database } from '../../../service/store/database.ts';
import { eachDatabase } from '../../support/databases.ts';
import { hostileText, someTime, storedTenant } from '../../support/sample-records.ts';

describe('configs', () => {
  eachDatabase((open) => {
    let db: Database;
    let config: Config;
    before(async () => {
      db = await open();
      config = {
        tenantId: (await storedTenant(db.knex)).id,
        id: 'prod',
        config: { z: [hostileText, 1.5, null], a: { nested: '\u0000' } },
        createdAt: someTime,
        updatedAt: someTime,
      };
    });

    it('keep their creation time when they are replaced', async () => {
      await saveConfig(db.knex, config);
      assert.deepEqual(await findConfig(db.knex, config.tenantId, 'prod'), config);
      const later = { ...config, config: { b: true }, createdAt: someTime + 9, updatedAt: someTime + 9 };
      await saveConfig(db.knex, later);
      const found = await findConfig(db.knex, config.tenantId, 'prod');
      assert.deepEqual(found, { ...later, createdAt: someTime });
    });

    it("report the number and size of the tenant's other configs", async () => {
      const tenantId = (await storedTenant(db.knex)).id;
      assert.deepEqual(await otherConfigs(db.knex, tenantId, 'a'), { count: 0, bytes: 0 });
      await saveConfig(db.knex, { ...config, tenantId, id: 'a', config: { text: 'ü€' } });
      await saveConfig(db.knex, { ...config, tenantId, id: 'b', config: {} });
      const bytes = Buffer.byteLength('{"text":"ü€"}');
      assert.deepEqual(await otherConfigs(db.knex, tenantId, 'c'), { count: 2, bytes: bytes + 2 });
      assert.deepEqual(await otherConfigs(db.knex, tenantId, 'a'), { count: 1, bytes: 2 });
    });

    it('belong to one tenant', async () => {
      await saveConfig(db.knex, { ...config, id: 'own' });
      assert.equal(await findConfig(db.knex, 'another tenant', 'own'), undefined);
      assert.equal(await deleteConfig(db.knex, 'another tenant', 'own'), false);
      assert.equal(await deleteConfig(db.knex, config.tenantId, 'own'), true);
      assert.equal(await deleteConfig(db.knex, config.tenantId, 'own'), false);
    });
  });
});
