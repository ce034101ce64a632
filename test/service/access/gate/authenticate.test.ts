import assert from 'node:assert/strict';
import { unauthorizedText } from '../../../../specs/operations/access-texts.ts';
import { type Authenticator, createAuthenticator } from '../../../../service/access/gate/authenticate.ts';
import { createApiKey, type NewApiKey } from '../../../../service/access/create-api-key.ts';
import { createRateLimits } from '../../../../service/access/rate-limits.ts';
import { createTokenBuckets } from '../../../../service/access/token-buckets.ts';
import { ApiError } from '../../../../service/errors/api-error.ts';
import { createIds } from '../../../../service/ids.ts';
import { type ApiKey, revokeApiKey } from '../../../../service/store/api-keys.ts';
import type { Database } from '../../../../service/store/database.ts';
import { type Tenant, updateTenantStatus } from '../../../../service/store/tenants.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { type ManualClock, manualClock } from '../../../support/manual-clock.ts';
import { storedTenant } from '../../../support/sample-records.ts';

const address = '192.0.2.1';

describe('authentication', () => {
  eachDatabase((open) => {
    let db: Database;
    let clock: ManualClock;
    let authenticate: Authenticator;
    let tenant: Tenant;
    before(async () => {
      db = await open();
    });
    beforeEach(async () => {
      clock = manualClock();
      authenticate = createAuthenticator({
        db,
        clock,
        rates: createRateLimits(createTokenBuckets(clock)),
        keyUse: { note: () => undefined },
        onError: assert.ifError,
      });
      tenant = await storedTenant(db.knex);
    });

    function mint(fields: Partial<NewApiKey> = {}): Promise<{ key: ApiKey; secret: string }> {
      const options: NewApiKey = {
        tenantId: tenant.id,
        name: 'k',
        kind: 'full',
        scopes: ['read'],
        ...fields,
      };
      return createApiKey(db.knex, { ids: createIds(clock), clock }, options);
    }

    async function refusal(authorization: string | undefined): Promise<unknown> {
      try {
        await authenticate(authorization, address);
      } catch (error) {
        assert.ok(error instanceof ApiError);
        return { status: error.status, body: error.body };
      }
      return 'admitted';
    }

    const unauthorized = { status: 401, body: { error: 'unauthorized', message: unauthorizedText } };

    it('resolves a key to its record and its tenant', async () => {
      const { key, secret } = await mint();
      assert.deepEqual(await authenticate(`Bearer ${secret}`, address), { tenant, key });
    });

    it('accepts app keys and the scheme in any case', async () => {
      const { key, secret } = await mint({ kind: 'app', scopes: ['invoke'], graphIds: ['g'] });
      assert.match(secret, /^svcapp_[0-9a-f]{64}$/);
      assert.deepEqual((await authenticate(`bearer ${secret}`, address)).key, key);
    });

    it('rejects missing and malformed keys with the same response', async () => {
      const { secret } = await mint();
      const malformed = [
        undefined,
        '',
        'Bearer',
        'Bearer ',
        secret,
        `Basic ${secret}`,
        `Bearer${secret}`,
        `Bearer ${secret}0`,
        `Bearer ${secret.slice(1)}`,
        `Bearer ${secret.toUpperCase()}`,
        `Bearer ${secret} more`,
        `Bearer ${secret},Bearer ${secret}`,
        `Bearer svcapp_${secret}`,
        `Bearer SVCAPP_${secret}`,
        `Bearer g${secret.slice(1)}`,
        `Bearer \u0000`,
        `Bearer ${'0'.repeat(64)}`,
      ];
      for (const authorization of malformed) {
        assert.deepEqual(await refusal(authorization), unauthorized, JSON.stringify(authorization));
      }
    });

    it('rejects a revoked key on its next use', async () => {
      const { key, secret } = await mint();
      await authenticate(`Bearer ${secret}`, address);
      await revokeApiKey(db.knex, tenant.id, key.id, clock.now());
      assert.deepEqual(await refusal(`Bearer ${secret}`), unauthorized);
    });

    it('rejects a key once it expires', async () => {
      const { secret } = await mint({ expiresAt: clock.now() + 10 });
      clock.advance(9);
      assert.equal(await refusal(`Bearer ${secret}`), 'admitted');
      clock.advance(1);
      assert.deepEqual(await refusal(`Bearer ${secret}`), unauthorized);
    });

    it('reports a valid key whose tenant does not exist', async () => {
      const { secret } = await mint();
      await db.knex('tenants').where({ id: tenant.id }).delete();
      assert.deepEqual(await refusal(`Bearer ${secret}`), {
        status: 401,
        body: { error: 'missing tenant context' },
      });
    });

    it('limits rejected keys per address, but not valid ones', async () => {
      const { secret } = await mint();
      for (let count = 0; count < 500; count += 1) {
        assert.deepEqual(
          await refusal(count % 2 === 0 ? undefined : `Bearer ${'0'.repeat(64)}`),
          unauthorized,
        );
      }
      const error = 'rate limit exceeded';
      const counts = 'requests of your network without a valid key are limited to 100 a second';
      const message = `${error}: ${counts}, in bursts of at most 500`;
      const often = { status: 429, body: { error, message } };
      assert.deepEqual(await refusal(undefined), often);
      assert.deepEqual(await refusal(`Bearer ${'0'.repeat(64)}`), often);
      assert.equal(await refusal(`Bearer ${secret}`), 'admitted');
      await assert.rejects(authenticate(undefined, '192.0.2.2'), { status: 401 });
      clock.advance(1_000);
      for (let count = 0; count < 1_000; count += 1)
        assert.equal(await refusal(`Bearer ${secret}`), 'admitted');
      assert.deepEqual(await refusal(undefined), unauthorized);
    });

    it('resolves the key of a suspended tenant', async () => {
      const { secret } = await mint();
      await updateTenantStatus(db.knex, tenant.id, 'suspended');
      assert.equal((await authenticate(`Bearer ${secret}`, address)).tenant.status, 'suspended');
    });
  });
});
