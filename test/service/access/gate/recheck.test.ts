import assert from 'node:assert/strict';
import { createApiKey } from '../../../../service/access/create-api-key.ts';
import { createAuthenticator } from '../../../../service/access/gate/authenticate.ts';
import { createRecheck, type Recheck } from '../../../../service/access/gate/recheck.ts';
import { createRateLimits } from '../../../../service/access/rate-limits.ts';
import { createTokenBuckets } from '../../../../service/access/token-buckets.ts';
import { createIds } from '../../../../service/ids.ts';
import { type ApiKey, revokeApiKey } from '../../../../service/store/api-keys.ts';
import type { Database } from '../../../../service/store/database.ts';
import { type Tenant, updateTenantStatus } from '../../../../service/store/tenants.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { type ManualClock, manualClock } from '../../../support/manual-clock.ts';
import { storedTenant } from '../../../support/sample-records.ts';

describe('the recheck of an admitted key', () => {
  eachDatabase((open) => {
    let db: Database;
    let clock: ManualClock;
    let tenant: Tenant;
    let key: ApiKey;
    let recheck: Recheck;
    let caller: Parameters<Recheck>[0];
    const keyUse = { note: () => undefined };
    before(async () => {
      db = await open();
    });
    beforeEach(async () => {
      clock = manualClock();
      tenant = await storedTenant(db.knex);
      const made = await createApiKey(
        db.knex,
        { ids: createIds(clock), clock },
        {
          tenantId: tenant.id,
          name: 'k',
          kind: 'full',
          scopes: ['read'],
          expiresAt: clock.now() + 10,
        },
      );
      key = made.key;
      caller = { authorization: `Bearer ${made.secret}`, address: '192.0.2.1' };
      const rates = createRateLimits(createTokenBuckets(clock));
      recheck = createRecheck(createAuthenticator({ db, clock, rates, keyUse, onError: assert.ifError }));
      assert.equal(await recheck(caller), true);
    });

    it('rejects a revoked key', async () => {
      await revokeApiKey(db.knex, tenant.id, key.id, clock.now());
      assert.equal(await recheck(caller), false);
    });

    it('rejects a key once it expires', async () => {
      clock.advance(9);
      assert.equal(await recheck(caller), true);
      clock.advance(1);
      assert.equal(await recheck(caller), false);
    });

    it('fails if the key cannot be read, without rejecting it', async () => {
      const closed = await open();
      await closed.close();
      const errors: unknown[] = [];
      const rates = createRateLimits(createTokenBuckets(clock));
      const onError = (error: unknown): void => void errors.push(error);
      const check = createRecheck(createAuthenticator({ db: closed, clock, rates, keyUse, onError }));
      await assert.rejects(check(caller), { status: 503 });
      assert.equal(errors.length, 1);
    });

    it('rejects the key of a suspended tenant', async () => {
      await updateTenantStatus(db.knex, tenant.id, 'suspended');
      assert.equal(await recheck(caller), false);
    });
  });
});
