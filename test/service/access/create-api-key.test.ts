import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createApiKey } from '../../../service/access/create-api-key.ts';
import { createIds } from '../../../service/ids.ts';
import type { Database } from '../../../service/store/database.ts';
import { eachDatabase } from '../../support/databases.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { storedTenant } from '../../support/sample-records.ts';

describe('a new API key', () => {
  eachDatabase((open) => {
    let db: Database;
    const clock = manualClock();
    const ids = createIds(clock);
    before(async () => {
      db = await open();
    });

    it('has 64 hex characters, of which only the hash and the last four are stored', async () => {
      const { id: tenantId } = await storedTenant(db.knex);
      const options = { tenantId, name: 'cli', kind: 'full', scopes: ['read', 'write'] } as const;
      const { key, secret } = await createApiKey(db.knex, { ids, clock }, options);
      assert.match(secret, /^[0-9a-f]{64}$/);
      assert.equal(key.keyHash, createHash('sha256').update(secret).digest('hex'));
      assert.equal(key.keyHint, secret.slice(-4));
      const stored = JSON.stringify(await db.knex('api_keys').select());
      assert.ok(stored.includes(key.keyHash));
      assert.ok(!stored.includes(secret));
    });

    it('has the default rate limits unless others are given', async () => {
      const { id: tenantId } = await storedTenant(db.knex);
      const options = { tenantId, name: 'web', kind: 'app', scopes: ['invoke'] } as const;
      const usual = await createApiKey(db.knex, { ids, clock }, options);
      assert.deepEqual([usual.key.rateRps, usual.key.rateBurst], [5, 10]);
      const chosen = await createApiKey(db.knex, { ids, clock }, { ...options, rateRps: 0.5, rateBurst: 2 });
      assert.deepEqual([chosen.key.rateRps, chosen.key.rateBurst], [0.5, 2]);
      assert.notEqual(usual.secret, chosen.secret);
    });
  });
});
